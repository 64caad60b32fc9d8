package attacks

import (
	"strings"
	"testing"
)

func TestByNameFindsEveryAlgorithm(t *testing.T) {
	want := "walker breadcrumbs coordinates classical hyperbola obstruction kogge-stone kindergarten fancy fixed pext"
	var names []string
	for _, a := range Algorithms() {
		names = append(names, a.Name)
		found, err := ByName(a.Name)
		if err != nil || found.Name != a.Name {
			t.Errorf("ByName(%q) = %q, %v", a.Name, found.Name, err)
		}
		if a.Source == "" {
			t.Errorf("%s names no source", a.Name)
		}
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("algorithms are %s, want %s", got, want)
	}
}

func TestByNameRefusesOtherNames(t *testing.T) {
	for _, name := range []string{"", "Fixed", "rotated", "pext "} {
		if _, err := ByName(name); err == nil || !strings.Contains(err.Error(), "unknown slider algorithm") {
			t.Errorf("ByName(%q) gives error %v", name, err)
		}
	}
}

func TestAlgorithmsReturnsACopy(t *testing.T) {
	Algorithms()[0].Name = "changed"
	if name := Algorithms()[0].Name; name != "walker" {
		t.Errorf("the list has become %q", name)
	}
}

func TestDefaultIsAvailable(t *testing.T) {
	if a := Default(); a.Name != "fixed" || !a.Available() {
		t.Errorf("default is %q, available: %v", a.Name, a.Available())
	}
}
