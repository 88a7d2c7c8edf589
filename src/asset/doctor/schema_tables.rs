//! glTF 2.0's schema, as far as skinning, and what carries it, goes. What an
//! object holds for materials, cameras and textures is not looked into.

/// What a value must be.
pub(super) enum Is {
    Anything,
    Text,
    Flag,
    Object(&'static [Property]),
    /// With at least one entry.
    List(&'static Self),
    /// A list with no entry twice.
    Distinct(&'static Self),
    /// Any names, each with such a value.
    Map(&'static Self),
    /// Into this top-level list.
    Index(&'static str),
    Whole {
        least: u64,
    },
    /// Bytes from one vertex to the next.
    Stride,
    /// A list of one of these lengths (any, if there are none), of numbers from
    /// −`most` to `most`.
    Numbers {
        lengths: &'static [usize],
        most: f64,
    },
    OneOf(&'static [&'static str]),
    OneOfNumbers(&'static [usize]),
}

/// One name in an object.
pub(super) struct Property {
    pub(super) name: &'static str,
    pub(super) is: Is,
    pub(super) required: bool,
    /// The name that must stand beside it.
    pub(super) needs: Option<&'static str>,
}

const F32: f64 = f32::MAX as f64;
const MATRIX: Is = Is::Numbers {
    lengths: &[16],
    most: F32,
};
const ANY_NUMBERS: Is = Is::Numbers {
    lengths: &[],
    most: f64::MAX,
};
const BOUNDS: Is = Is::Numbers {
    lengths: &[1, 2, 3, 4, 9, 16],
    // Those of 32-bit integers are larger than they look.
    most: F32,
};

const fn numbers(lengths: &'static [usize], most: f64) -> Is {
    Is::Numbers { lengths, most }
}

const fn may(name: &'static str, is: Is) -> Property {
    Property {
        name,
        is,
        required: false,
        needs: None,
    }
}

const fn must(name: &'static str, is: Is) -> Property {
    Property {
        required: true,
        ..may(name, is)
    }
}

const fn needing(name: &'static str, is: Is, needs: &'static str) -> Property {
    Property {
        needs: Some(needs),
        ..may(name, is)
    }
}

const NAME: Property = may("name", Is::Text);
const FROM_ZERO: Is = Is::Whole { least: 0 };
const FROM_ONE: Is = Is::Whole { least: 1 };

pub(super) const ROOT: &[Property] = &[
    must("asset", Is::Object(ASSET)),
    may("accessors", Is::List(&Is::Object(ACCESSOR))),
    may("animations", Is::List(&Is::Object(ANIMATION))),
    may("buffers", Is::List(&Is::Object(BUFFER))),
    may("bufferViews", Is::List(&Is::Object(VIEW))),
    may("cameras", Is::List(&Is::Anything)),
    may("extensionsRequired", Is::Distinct(&Is::Text)),
    may("extensionsUsed", Is::Distinct(&Is::Text)),
    may("images", Is::List(&Is::Object(IMAGE))),
    may("materials", Is::List(&Is::Anything)),
    may("meshes", Is::List(&Is::Object(MESH))),
    may("nodes", Is::List(&Is::Object(NODE))),
    may("samplers", Is::List(&Is::Anything)),
    may("scene", Is::Index("scenes")),
    may("scenes", Is::List(&Is::Object(SCENE))),
    may("skins", Is::List(&Is::Object(SKIN))),
    may("textures", Is::List(&Is::Object(TEXTURE))),
];

const ASSET: &[Property] = &[
    must("version", Is::Text),
    may("minVersion", Is::Text),
    may("generator", Is::Text),
    may("copyright", Is::Text),
];

const ACCESSOR: &[Property] = &[
    may("bufferView", Is::Index("bufferViews")),
    needing("byteOffset", FROM_ZERO, "bufferView"),
    must("componentType", Is::OneOfNumbers(COMPONENTS)),
    may("normalized", Is::Flag),
    must("count", FROM_ONE),
    must("type", Is::OneOf(TYPES)),
    may("max", BOUNDS),
    may("min", BOUNDS),
    may("sparse", Is::Object(SPARSE)),
    NAME,
];

const COMPONENTS: &[usize] = &[5120, 5121, 5122, 5123, 5125, 5126];
const TYPES: &[&str] = &["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"];

const SPARSE: &[Property] = &[
    must("count", FROM_ONE),
    must("indices", Is::Object(SPARSE_INDICES)),
    must("values", Is::Object(SPARSE_VALUES)),
];

const SPARSE_INDICES: &[Property] = &[
    must("bufferView", Is::Index("bufferViews")),
    may("byteOffset", FROM_ZERO),
    must("componentType", Is::OneOfNumbers(&[5121, 5123, 5125])),
];

const SPARSE_VALUES: &[Property] = &[
    must("bufferView", Is::Index("bufferViews")),
    may("byteOffset", FROM_ZERO),
];

const ANIMATION: &[Property] = &[
    must("channels", Is::List(&Is::Object(CHANNEL))),
    must("samplers", Is::List(&Is::Object(SAMPLER))),
    NAME,
];

const CHANNEL: &[Property] = &[
    must("sampler", FROM_ZERO),
    must("target", Is::Object(TARGET)),
];

const TARGET: &[Property] = &[
    may("node", Is::Index("nodes")),
    must(
        "path",
        Is::OneOf(&["translation", "rotation", "scale", "weights"]),
    ),
];

const SAMPLER: &[Property] = &[
    must("input", Is::Index("accessors")),
    may(
        "interpolation",
        Is::OneOf(&["LINEAR", "STEP", "CUBICSPLINE"]),
    ),
    must("output", Is::Index("accessors")),
];

const BUFFER: &[Property] = &[may("uri", Is::Text), must("byteLength", FROM_ONE), NAME];

const VIEW: &[Property] = &[
    must("buffer", Is::Index("buffers")),
    may("byteOffset", FROM_ZERO),
    must("byteLength", FROM_ONE),
    may("byteStride", Is::Stride),
    may("target", Is::OneOfNumbers(&[34962, 34963])),
    NAME,
];

const IMAGE: &[Property] = &[
    may("uri", Is::Text),
    may("mimeType", Is::OneOf(&["image/jpeg", "image/png"])),
    needing("bufferView", Is::Index("bufferViews"), "mimeType"),
    NAME,
];

const TEXTURE: &[Property] = &[
    may("sampler", Is::Index("samplers")),
    may("source", Is::Index("images")),
    NAME,
];

const MESH: &[Property] = &[
    must("primitives", Is::List(&Is::Object(PRIMITIVE))),
    may("weights", ANY_NUMBERS),
    NAME,
];

const PRIMITIVE: &[Property] = &[
    must("attributes", Is::Map(&Is::Index("accessors"))),
    may("indices", Is::Index("accessors")),
    may("material", Is::Index("materials")),
    may("mode", Is::OneOfNumbers(&[0, 1, 2, 3, 4, 5, 6])),
    may("targets", Is::List(&Is::Map(&Is::Index("accessors")))),
];

const NODE: &[Property] = &[
    may("camera", Is::Index("cameras")),
    may("children", Is::Distinct(&Is::Index("nodes"))),
    needing("skin", Is::Index("skins"), "mesh"),
    may("matrix", MATRIX),
    may("mesh", Is::Index("meshes")),
    may("rotation", numbers(&[4], 1.0)),
    may("scale", numbers(&[3], F32)),
    may("translation", numbers(&[3], F32)),
    needing("weights", ANY_NUMBERS, "mesh"),
    NAME,
];

const SCENE: &[Property] = &[may("nodes", Is::Distinct(&Is::Index("nodes"))), NAME];

const SKIN: &[Property] = &[
    may("inverseBindMatrices", Is::Index("accessors")),
    may("skeleton", Is::Index("nodes")),
    must("joints", Is::Distinct(&Is::Index("nodes"))),
    NAME,
];
