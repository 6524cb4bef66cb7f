// Goroutines, closures and interfaces, for go build.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"
)

type weigher interface{ weigh() int }

type text string

func (t text) weigh() int { return len(strings.Fields(string(t))) * half(len(t)) }

func half(n int) int { return n / 2 }

func main() {
	results := make(chan int)
	for _, arg := range os.Args {
		go func(w weigher) { results <- w.weigh() }(text(arg))
	}
	var all []int
	for range os.Args {
		all = append(all, <-results)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	fmt.Println(all)
}
