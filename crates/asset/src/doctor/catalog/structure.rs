//! The JSON: names, types, references, extensions.

use crate::doctor::fault::faults;

faults! {
    TYPE_MISMATCH Error (BYTES) {
        "A value is of the wrong type.",
        "Programs refuse the file, or ignore the value.",
        "Write the type that is expected here.",
    }
    UNDEFINED_PROPERTY Error (BYTES) {
        "A property that must be there is missing.",
        "Without it the rest of this object means nothing.",
        "Add the property, or export the file again.",
    }
    UNEXPECTED_PROPERTY Warning (BYTES) {
        "There is a property that glTF does not know.",
        "It is ignored: if it is a typing mistake, what it was to say is lost.",
        "Check its spelling. Data of your own belongs in `extras`.",
    }
    UNSATISFIED_DEPENDENCY Error (GRAPH) {
        "A property stands here without the one it belongs to.",
        "It has no effect: a skin without a mesh moves nothing.",
        "Add the missing property, or take this one away.",
    }
    EMPTY_ENTITY Error (BYTES) {
        "A list or an object is empty.",
        "A skin without joints moves nothing, a mesh without primitives shows nothing.",
        "Leave the property out, or fill it.",
    }
    INVALID_INDEX Error (BYTES) {
        "An index is not a whole number from 0 on.",
        "What it should name is not found.",
        "Indices count from 0.",
    }
    UNRESOLVED_REFERENCE Error (BYTES) {
        "An index names something that is not in the file.",
        "What it should name is not found: programs refuse the file or leave the part out.",
        "Indices count from 0, so the last of n things is n − 1. If something was deleted by hand, all later indices have shifted.",
    }
    DUPLICATE_ELEMENTS Error (BYTES) {
        "A list names the same thing twice.",
        "A joint that stands in a skin twice has two matrices; programs may use either.",
        "Name each once.",
    }
    VALUE_NOT_IN_LIST Warning (BYTES) {
        "A value is none of those that are allowed here.",
        "Programs ignore the part, or refuse the file.",
        "Write one of the allowed values; capital letters count.",
    }
    VALUE_NOT_IN_RANGE Error (BYTES) {
        "A number is outside of its range.",
        "A number too large for a 32-bit float becomes infinite; all that it moves disappears.",
        "Look in the modelling program for a scale or a position gone wild, and export again.",
    }
    VALUE_MULTIPLE_OF Error (BYTES) {
        "A number is not a multiple of what it must be.",
        "GPUs and strict programs refuse such a layout.",
        "Export the file again.",
    }
    ARRAY_LENGTH_NOT_IN_LIST Error (BYTES) {
        "A list of numbers has the wrong length.",
        "Programs refuse the file, or ignore the value.",
        "A translation and a scale have 3 numbers, a rotation and a colour 4, a matrix 16; bounds have as many as the accessor's type.",
    }
    PATTERN_MISMATCH Error (BYTES) {
        "Text is not written as it must be.",
        "Programs refuse the file.",
        "A version is two numbers with a dot between them: 2.0.",
    }
    ONE_OF_MISMATCH Error (BYTES) {
        "Of several properties exactly one must be there.",
        "Programs ignore the part, or take either.",
        "A picture has a `uri` or a `bufferView`, not both.",
    }
    ASSET_MIN_VERSION_GREATER_THAN_VERSION Error (BYTES) {
        "The file asks for a later version of glTF than its own.",
        "Programs refuse it.",
        "minVersion must be at most version. Leave it out.",
    }
    UNKNOWN_ASSET_MINOR_VERSION Warning (BYTES) {
        "The file is of a later glTF 2 than there is.",
        "What is new in it is ignored.",
        "Write 2.0.",
    }
    UNKNOWN_ASSET_MAJOR_VERSION Error (MODEL) {
        "The file is of another version of glTF.",
        "Nothing can be shown: the versions have little in common.",
        "Convert or export it as glTF 2.0.",
    }
    UNDECLARED_EXTENSION Error (MODEL) {
        "An extension is used that the file does not declare.",
        "Programs may ignore it.",
        "Name it in extensionsUsed.",
    }
    UNUSED_EXTENSION_REQUIRED Error (MODEL) {
        "An extension is required that the file does not declare as used.",
        "Strict programs refuse the file.",
        "Every name in extensionsRequired must also stand in extensionsUsed.",
    }
    NON_REQUIRED_EXTENSION Error (MODEL) {
        "An extension is optional that cannot be.",
        "Programs without it read the data as what it is not.",
        "Name it in extensionsRequired too.",
    }
    UNSUPPORTED_REQUIRED_EXTENSION Error (MODEL) {
        "The file requires an extension that this program does not have.",
        "It cannot be opened here: without the extension its data cannot be read.",
        "Export without it: switch compression (Draco, meshopt) and compressed textures (KTX2, WebP) off.",
    }
    UNSUPPORTED_EXTENSION Note (MODEL) {
        "The file uses an extension that this program does not show.",
        "The model opens; what the extension adds is left out of the picture.",
        "Nothing needs to be done.",
    }
}
