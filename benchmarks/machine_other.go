//go:build !linux

package main

func pin() (release func()) { return func() {} }
