// Package monitor shows a run over HTTP: / for people, /status.json for programs, /metrics for Prometheus.
package monitor
