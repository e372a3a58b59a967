package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
)

const (
	headerCap = 8 << 20
	bodyCap   = 64 << 20
	nodeCap   = 1_000_000
	streamCap = 1 << 20
	// Levels that a value may take, so that its frame stays within the nesting cap of 100.
	deepest   = 90
	inlineCap = 4096
	// What the reply around a statement takes of header and nodes.
	replyRoom  = 4096
	replyNodes = 100
)

// readFrame takes one frame apart: the header's object and the body.
func readFrame(source io.Reader) (map[string]any, []byte, error) {
	var lengths [8]byte
	if _, err := io.ReadFull(source, lengths[:]); err != nil {
		return nil, nil, err
	}
	header, body := binary.BigEndian.Uint32(lengths[:4]), binary.BigEndian.Uint32(lengths[4:])
	if header > headerCap || body > bodyCap {
		return nil, nil, errors.New("the request is over a cap")
	}
	data := make([]byte, int(header)+int(body))
	if _, err := io.ReadFull(source, data); err != nil {
		return nil, nil, err
	}
	var said map[string]any
	reader := json.NewDecoder(bytes.NewReader(data[:header]))
	reader.UseNumber()
	if err := reader.Decode(&said); err != nil {
		return nil, nil, err
	}
	return said, data[header:], nil
}

// packFrame gives the bytes of a frame.
func packFrame(header, body []byte) []byte {
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(header)))
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(body)))
	return append(append(frame, header...), body...)
}
