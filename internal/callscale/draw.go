package main

import (
	"bytes"
	"fmt"
)

// Size of the drawing, and of the frame inside it.
const (
	width, height          = 640, 360
	left, right            = 60, 60
	top, bottom            = 20, 50
	timeColour, heapColour = "#1f5fa8", "#b8541a"
)

// draw plots the time of processors and peak memory over lines, both axes from 0.
func draw(points []point) []byte {
	var lines, seconds, peak float64
	for _, p := range points {
		lines, seconds, peak = max(lines, float64(p.Lines)), max(seconds, p.CPU), max(peak, float64(p.Peak))
	}
	x := func(p point) float64 { return left + float64(p.Lines)/lines*(width-left-right) }
	y := func(share float64) float64 { return height - bottom - share*(height-top-bottom) }
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<path d="M%d %dV%dH%dV%d" fill="none" stroke="#888"/>`+"\n", left, top, height-bottom, width-right, top)
	series := func(colour string, share func(point) float64) {
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="%d,%.1f`, colour, left, y(0))
		for _, p := range points {
			fmt.Fprintf(&b, " %.1f,%.1f", x(p), y(share(p)))
		}
		b.WriteString("\"/>\n")
		for _, p := range points {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x(p), y(share(p)), colour)
		}
	}
	series(timeColour, func(p point) float64 { return p.CPU / seconds })
	series(heapColour, func(p point) float64 { return float64(p.Peak) / peak })
	for _, share := range []float64{0, 0.5, 1} {
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end" fill="%s">%.0f s</text>`+"\n", left-6, y(share)+4, timeColour, share*seconds)
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" fill="%s">%.0f MB</text>`+"\n", width-right+6, y(share)+4, heapColour, share*peak/(1<<20))
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%.1f M</text>`+"\n", left+share*(width-left-right), height-bottom+16, share*lines/1e6)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle"><tspan fill="%s">processor time</tspan> and <tspan fill="%s">peak memory</tspan> by lines of source</text>`+"\n", width/2, height-10, timeColour, heapColour)
	b.WriteString("</svg>\n")
	return b.Bytes()
}
