package wire

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// decimalBound is the first integer with more than 4,000 digits.
var decimalBound = new(big.Int).Exp(big.NewInt(10), big.NewInt(4000), nil)

// floatText is the shortest text that reads back, with an exponent from 1e16 and below 1e-4.
func floatText(number float64) string {
	switch {
	case math.IsNaN(number):
		return "nan"
	case math.IsInf(number, 1):
		return "inf"
	case math.IsInf(number, -1):
		return "-inf"
	}
	short := strconv.FormatFloat(number, 'e', -1, 64)
	exponent, _ := strconv.Atoi(short[strings.IndexByte(short, 'e')+1:])
	if exponent < -4 || exponent >= 16 {
		return short
	}
	plain := strconv.FormatFloat(number, 'f', -1, 64)
	if !strings.Contains(plain, ".") {
		plain += ".0"
	}
	return plain
}

// whenOfDuration writes seconds as a decimal number.
func whenOfDuration(span time.Duration) When {
	sign, size := "", uint64(span)
	if span < 0 {
		sign, size = "-", -uint64(span)
	}
	text := sign + strconv.FormatUint(size/1e9, 10)
	if part := size % 1e9; part != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%09d", part), "0")
	}
	return When{Kind: "duration", Text: text}
}

// whenOfTime writes the clock's reading and the zone: the IANA name where it alone tells the moment, else the offset.
func whenOfTime(moment time.Time) When {
	year, month, day := moment.Date()
	hour, minute, second := moment.Clock()
	text := fmt.Sprintf("%s-%02d-%02dT%02d:%02d:%02d", yearText(year), month, day, hour, minute, second)
	switch nano := moment.Nanosecond(); {
	case nano%1000 != 0:
		text += fmt.Sprintf(".%09d", nano)
	case nano != 0:
		text += fmt.Sprintf(".%06d", nano/1000)
	}
	zone := zoneText(moment)
	return When{Kind: "datetime", Text: text, Zone: &zone}
}

func yearText(year int) string {
	if year < 0 {
		return fmt.Sprintf("-%04d", -year)
	}
	if year > 9999 {
		return fmt.Sprintf("+%d", year)
	}
	return fmt.Sprintf("%04d", year)
}

func zoneText(moment time.Time) string {
	// Only a name with a slash is surely one of IANA's: a fixed zone may have any name.
	if place := moment.Location(); strings.Contains(place.String(), "/") && !isSecond(moment) {
		return place.String()
	}
	_, offset := moment.Zone()
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	text := fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)
	if offset%60 != 0 {
		text += fmt.Sprintf(":%02d", offset%60)
	}
	return text
}

// isSecond tells whether the clock had shown the same before: it was set back since, by more than has passed.
func isSecond(moment time.Time) bool {
	start, _ := moment.ZoneBounds()
	if start.IsZero() {
		return false
	}
	_, before := start.Add(-1).Zone()
	_, now := moment.Zone()
	return moment.Before(start.Add(time.Duration(before-now) * time.Second))
}
