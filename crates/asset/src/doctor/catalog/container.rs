//! The file around the data.

use crate::doctor::fault::faults;

faults! {
    NOT_GLTF Error (MODEL) {
        "This is not a glTF file.",
        "Nothing can be shown.",
        "A .glb begins with the letters glTF, a .gltf is text that begins with {. Export the model as glTF 2.0; renaming a file does not convert it.",
    }
    GLB_UNEXPECTED_END_OF_HEADER Error (BYTES) {
        "The file ends within its first 12 bytes.",
        "Nothing can be shown.",
        "The file was cut off while it was copied or downloaded. Copy it again.",
    }
    GLB_INVALID_VERSION Error (BYTES) {
        "The GLB header gives a version that does not exist.",
        "Nothing can be shown: other versions are laid out differently.",
        "Export the file as glTF 2.0.",
    }
    GLB_LENGTH_TOO_SMALL Error (BYTES) @mend {
        "The GLB header gives a length that is less than the header itself.",
        "Strict programs refuse the file.",
        "Bytes 8 to 11 hold the length of the whole file. Export it again.",
    }
    GLB_LENGTH_MISMATCH Error (BYTES) @mend {
        "The GLB header gives another length than the file has.",
        "Strict programs refuse the file. If it is shorter than it says, its end is lost.",
        "If it was copied or downloaded, do that again. Otherwise the exporter wrote a wrong length into bytes 8 to 11.",
    }
    GLB_EXTRA_DATA Warning (BYTES) @mend {
        "There are bytes behind the end of the GLB.",
        "They belong to nothing and are not read.",
        "The header gives the length of the file in bytes 8 to 11. What stands behind it can be cut off.",
    }
    GLB_CHUNK_TOO_BIG Error (BYTES) {
        "A chunk reaches past the length that the header gives.",
        "Strict programs refuse the file.",
        "The header's length or the chunk's is wrong. Export the file again.",
    }
    GLB_CHUNK_LENGTH_UNALIGNED Error (BYTES) @mend {
        "The length of a chunk is not a multiple of 4.",
        "Strict programs refuse the file.",
        "Pad the JSON chunk with spaces and the binary chunk with zeros.",
    }
    GLB_EMPTY_CHUNK Error (BYTES) {
        "A chunk is empty.",
        "What should stand in it is missing.",
        "Export the file again.",
    }
    GLB_DUPLICATE_CHUNK Error (BYTES) @mend {
        "A chunk of this kind stands in the file twice.",
        "Programs may read the first or the last of them.",
        "A GLB has one JSON chunk and at most one BIN chunk. Export the file again.",
    }
    GLB_UNEXPECTED_END_OF_CHUNK_HEADER Error (BYTES) {
        "The file ends within the header of a chunk.",
        "What follows is lost.",
        "The file was cut off. Copy or export it again.",
    }
    GLB_UNEXPECTED_END_OF_CHUNK_DATA Error (BYTES) {
        "The file ends within a chunk.",
        "The end of the data is lost: vertices, keys or the JSON itself.",
        "The file was cut off while it was copied or downloaded. Copy it again.",
    }
    GLB_UNEXPECTED_FIRST_CHUNK Error (BYTES) {
        "The first chunk is not the JSON.",
        "Nothing can be shown: the JSON says what the rest means.",
        "The order must be JSON, then BIN. Export the file again.",
    }
    GLB_UNEXPECTED_BIN_CHUNK Error (BYTES) @mend {
        "The binary chunk is not the second one.",
        "Strict programs do not find the vertices.",
        "The order must be JSON, BIN, then anything else.",
    }
    GLB_UNKNOWN_CHUNK_TYPE Warning (BYTES) @mend {
        "There is a chunk of an unknown kind.",
        "It is skipped.",
        "If nothing misses it, leave it out.",
    }
    INVALID_JSON Error (BYTES) {
        "The JSON cannot be read.",
        "Nothing can be shown.",
        "Look at the place named here: a comma too many or missing, a quote not closed, NaN or Infinity as a number, or bytes before the first {.",
    }
    CANNOT_OPEN Error (MODEL) {
        "This program cannot open the file.",
        "Nothing is shown.",
        "Export the model again, with fewer features if need be.",
    }
    NOTHING_TO_SHOW Note (MODEL) {
        "The file shows nothing: no node has a mesh.",
        "The picture stays empty.",
        "Select the mesh together with its armature when you export.",
    }
    MORE_FINDINGS Note {
        "There is more than is listed here.",
        "Nothing: the list was cut short.",
        "Mend what is listed first; much of the rest may follow from it.",
    }
    EXAMINED_IN_PART Note {
        "The file is so large that not all of its data was examined.",
        "Nothing: what was left out may be sound or not.",
        "Split the model, or examine a smaller one that was exported in the same way.",
    }
}
