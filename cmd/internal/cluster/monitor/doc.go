// Package monitor shows how a run is over HTTP: /metrics for Prometheus, / for people.
package monitor
