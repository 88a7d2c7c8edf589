//! Buffers, views, accessors: where the numbers lie.

use crate::doctor::fault::faults;

faults! {
    INVALID_URI Error (BYTES) {
        "A URI cannot be read.",
        "The data behind it is missing.",
        "Embedded data begins with data:application/octet-stream;base64, and is followed by base64 letters. In file names, write a space as %20.",
    }
    NON_RELATIVE_URI Warning (BYTES) {
        "A URI leads out of the model’s folder.",
        "Most programs do not follow it, this one never does.",
        "Put the file beside the model and write its name alone.",
    }
    IO_ERROR Error (BYTES) {
        "A file that the model needs cannot be read.",
        "Its vertices, keys or pictures are missing.",
        "Put the file beside the model, with exactly this name; capital letters count. A .glb holds everything in one file.",
    }
    BUFFER_BYTE_LENGTH_MISMATCH Error (BYTES) {
        "A buffer is shorter than the file says.",
        "Vertices or keys at its end are missing.",
        "The data was cut off, or belongs to another version of the model. Export both files again.",
    }
    BUFFER_MISSING_GLB_DATA Error (BYTES) {
        "A buffer refers to the binary chunk, and there is none.",
        "There are no vertices.",
        "Export the file again.",
    }
    BUFFER_WITHOUT_URI Warning (BYTES) {
        "A buffer that is used says nowhere where its bytes are.",
        "That is allowed, for programs that know. This one finds no data: what uses it is not shown.",
        "Give the buffer a URI: the name of its .bin file, or the data itself. Only the first buffer of a GLB is its binary chunk.",
    }
    BUFFER_GLB_CHUNK_TOO_BIG Warning (BYTES) @mend {
        "The binary chunk is longer than its buffer says.",
        "What stands behind the buffer is not read.",
        "byteLength of the first buffer is the length of the chunk, but for up to 3 bytes of padding.",
    }
    BUFFER_DATA_URI_MIME_TYPE_INVALID Error (BYTES) @mend {
        "Embedded data is given as something else than a buffer.",
        "Strict programs refuse the file.",
        "Write data:application/octet-stream;base64, at the beginning of the URI.",
    }
    DATA_URI_GLB Warning (BYTES) @mend {
        "A GLB holds a buffer as text in its JSON.",
        "It takes a third more room, and longer to load.",
        "Put the data into the binary chunk.",
    }
    BUFFER_VIEW_TOO_LONG Error (BYTES) {
        "A buffer view reaches past the end of its buffer.",
        "The data at its end is not there.",
        "byteOffset + byteLength must be at most the buffer’s byteLength.",
    }
    BUFFER_VIEW_TOO_BIG_BYTE_STRIDE Error (BYTES) {
        "The stride of a buffer view is larger than the view.",
        "Only one element fits, the rest cannot be read.",
        "The stride is the distance from one element to the next, in bytes.",
    }
    BUFFER_VIEW_INVALID_BYTE_STRIDE Error (BYTES) @mend {
        "A buffer view has a stride, but does not hold vertices.",
        "Programs ignore the stride, or refuse the file: the numbers may come out of the wrong bytes.",
        "Only vertex attributes may have a byteStride. Leave it out.",
    }
    ACCESSOR_SMALL_BYTESTRIDE Error (BYTES) @mend {
        "The stride is smaller than one element.",
        "Elements overlap: each vertex gets some of the numbers of the next, and the mesh bursts into spikes.",
        "The stride counts bytes, not numbers: three floats are 12 bytes apart, or more.",
    }
    ACCESSOR_TOO_LONG Error (BYTES) {
        "An accessor reaches past the end of its buffer view.",
        "Its last elements are not there: programs refuse the file or show garbage.",
        "byteOffset + stride · (count − 1) + size of an element must be at most the view’s byteLength.",
    }
    ACCESSOR_TOO_LARGE Error (BYTES) {
        "An accessor claims more elements than this program will hold.",
        "The file does not open.",
        "The count is wrong, or the model needs to be split.",
    }
    ACCESSOR_TOTAL_OFFSET_ALIGNMENT Error (BYTES) @mend {
        "The first byte of an accessor does not fit its type.",
        "GPUs read floats at multiples of 4 only; some programs refuse the file.",
        "The view’s byteOffset plus the accessor’s must be a multiple of the size of a component.",
    }
    ACCESSOR_NORMALIZED_INVALID Error (BYTES) {
        "An accessor of floats or 32-bit integers is marked as normalized.",
        "Programs may divide the numbers by 4 294 967 295, or not.",
        "Only 8- and 16-bit integers can be normalized. Leave the mark out.",
    }
    ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE Error (BYTES) {
        "A sparse accessor replaces more elements than there are.",
        "Programs refuse the file, or write past the end.",
        "sparse.count must be at most count.",
    }
    ACCESSOR_SPARSE_INDEX_OOB Error (BYTES) {
        "A sparse accessor replaces an element that is not there.",
        "Programs refuse the file, or write past the end.",
        "Its indices must be below count.",
    }
    ACCESSOR_SPARSE_INDICES_NON_INCREASING Error (BYTES) @mend {
        "The indices of a sparse accessor do not increase.",
        "If one stands there twice, programs may take either value.",
        "Sort them, and name each once.",
    }
    ACCESSOR_INVALID_FLOAT Error (BYTES) {
        "Some numbers are NaN or infinite.",
        "Whatever they touch disappears, or the whole mesh does.",
        "A division by zero on the way out: look for faces without area, scales of 0 and weights that sum to 0, and export again.",
    }
    ACCESSOR_MIN_MISMATCH Error (BYTES) @mend {
        "The declared minimum is not that of the data.",
        "Programs frame, cull and start animations by it: the model may vanish near the edge of the picture, a clip may begin late.",
        "Write the smallest value of each component, as the stored 32-bit float.",
    }
    ACCESSOR_MAX_MISMATCH Error (BYTES) @mend {
        "The declared maximum is not that of the data.",
        "Programs frame, cull and end animations by it: the model may vanish near the edge of the picture, a clip may end early.",
        "Write the largest value of each component, as the stored 32-bit float.",
    }
    ACCESSOR_USAGE_OVERRIDE Error (BYTES) {
        "One accessor is used for two different things.",
        "Programs that keep vertices, indices and keys apart refuse it, or upload it twice.",
        "Give each use an accessor of its own.",
    }
    BUFFER_VIEW_TARGET_OVERRIDE Error (BYTES) {
        "A buffer view is used for something else than it says, or for two different things.",
        "Programs that upload whole views put vertices where indices belong, or the other way round.",
        "Give vertices, indices, matrices, keys and pictures views of their own, with the right `target` or none.",
    }
    IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE Error (BYTES) {
        "A picture lies in a view with a stride.",
        "Programs refuse the file.",
        "Only vertex attributes may have a byteStride. Leave it out.",
    }
    NUMBERS_OVERFLOW Error (BYTES) {
        "Positions become too large for 32-bit floats.",
        "They become infinite on the GPU: what they touch disappears.",
        "Look for a scale or a translation gone wild, here or above, and export again.",
    }
    ACCESSOR_WITHOUT_DATA Warning (BYTES) {
        "A vertex attribute has no data: all its elements are zero.",
        "All vertices lie in one point, or hang on joint 0 with weight 0.",
        "Give the accessor a bufferView.",
    }
}
