//! glTF 2.0's schema. What extensions hold is not looked into.

/// What a value must be.
pub(super) enum Is {
    Text,
    Flag,
    Object(&'static [SchemaProperty]),
    /// With at least one entry.
    List(&'static Self),
    /// A list with no entry twice.
    Distinct(&'static Self),
    /// Any names, each with such a value.
    Map(&'static Self),
    /// Into this top-level list.
    Index(&'static str),
    /// Into a list beside it; whether it leads there is looked at elsewhere.
    Place,
    /// Two whole numbers with a dot between them.
    Version,
    Whole {
        least: usize,
        most: usize,
    },
    /// Bytes from one vertex to the next.
    Stride,
    /// From the first to the second.
    Number(Range),
    /// A list of one of these lengths (any, if there are none), of such numbers.
    Numbers {
        lengths: &'static [usize],
        range: Range,
    },
    OneOf(&'static [&'static str]),
    OneOfNumbers(&'static [usize]),
}

/// The least and the most that a number may be.
pub(super) type Range = (f64, f64);

/// One name in an object.
pub(super) struct SchemaProperty {
    pub(super) name: &'static str,
    pub(super) is: Is,
    pub(super) required: bool,
    /// The name that must stand beside it.
    pub(super) needs: Option<&'static str>,
}

const FLOAT: Range = (-(f32::MAX as f64), f32::MAX as f64);
const SHARE: Range = (0.0, 1.0);
const FROM_0: Range = (0.0, f64::MAX);
/// More than 0.
const ABOVE_0: Range = (f64::MIN_POSITIVE, f64::MAX);
const ANY: Range = (f64::MIN, f64::MAX);
const BOUNDS: Is = numbers(&[1, 2, 3, 4, 9, 16], FLOAT);

const fn numbers(lengths: &'static [usize], range: Range) -> Is {
    Is::Numbers { lengths, range }
}

const fn may(name: &'static str, is: Is) -> SchemaProperty {
    SchemaProperty { name, is, required: false, needs: None }
}

const fn must(name: &'static str, is: Is) -> SchemaProperty {
    SchemaProperty { required: true, ..may(name, is) }
}

const fn needing(name: &'static str, is: Is, needs: &'static str) -> SchemaProperty {
    SchemaProperty { needs: Some(needs), ..may(name, is) }
}

const NAME: SchemaProperty = may("name", Is::Text);
const FROM_ZERO: Is = from(0);
const FROM_ONE: Is = from(1);

const fn from(least: usize) -> Is {
    let most = usize::MAX;
    Is::Whole { least, most }
}

pub(super) const ROOT: &[SchemaProperty] = &[
    must("asset", Is::Object(ASSET)),
    may("accessors", Is::List(&Is::Object(ACCESSOR))),
    may("animations", Is::List(&Is::Object(ANIMATION))),
    may("buffers", Is::List(&Is::Object(BUFFER))),
    may("bufferViews", Is::List(&Is::Object(VIEW))),
    may("cameras", Is::List(&Is::Object(CAMERA))),
    needing("extensionsRequired", Is::Distinct(&Is::Text), "extensionsUsed"),
    may("extensionsUsed", Is::Distinct(&Is::Text)),
    may("images", Is::List(&Is::Object(IMAGE))),
    may("materials", Is::List(&Is::Object(MATERIAL))),
    may("meshes", Is::List(&Is::Object(MESH))),
    may("nodes", Is::List(&Is::Object(NODE))),
    may("samplers", Is::List(&Is::Object(TEXTURE_SAMPLER))),
    may("scene", Is::Index("scenes")),
    may("scenes", Is::List(&Is::Object(SCENE))),
    may("skins", Is::List(&Is::Object(SKIN))),
    may("textures", Is::List(&Is::Object(TEXTURES))),
];

const ASSET: &[SchemaProperty] = &[
    must("version", Is::Version),
    may("minVersion", Is::Version),
    may("generator", Is::Text),
    may("copyright", Is::Text),
];

const ACCESSOR: &[SchemaProperty] = &[
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

const SPARSE: &[SchemaProperty] = &[
    must("count", FROM_ONE),
    must("indices", Is::Object(SPARSE_INDICES)),
    must("values", Is::Object(SPARSE_VALUES)),
];

const SPARSE_INDICES: &[SchemaProperty] = &[
    must("bufferView", Is::Index("bufferViews")),
    may("byteOffset", FROM_ZERO),
    must("componentType", Is::OneOfNumbers(&[5121, 5123, 5125])),
];

const SPARSE_VALUES: &[SchemaProperty] =
    &[must("bufferView", Is::Index("bufferViews")), may("byteOffset", FROM_ZERO)];

const ANIMATION: &[SchemaProperty] = &[
    must("channels", Is::List(&Is::Object(CHANNEL))),
    must("samplers", Is::List(&Is::Object(SAMPLER))),
    NAME,
];

const CHANNEL: &[SchemaProperty] =
    &[must("sampler", Is::Place), must("target", Is::Object(TARGET))];

const TARGET: &[SchemaProperty] = &[
    may("node", Is::Index("nodes")),
    must("path", Is::OneOf(&["translation", "rotation", "scale", "weights", "pointer"])),
];

const SAMPLER: &[SchemaProperty] = &[
    must("input", Is::Index("accessors")),
    may("interpolation", Is::OneOf(&["LINEAR", "STEP", "CUBICSPLINE"])),
    must("output", Is::Index("accessors")),
];

const BUFFER: &[SchemaProperty] = &[may("uri", Is::Text), must("byteLength", FROM_ONE), NAME];

const VIEW: &[SchemaProperty] = &[
    must("buffer", Is::Index("buffers")),
    may("byteOffset", FROM_ZERO),
    must("byteLength", FROM_ONE),
    may("byteStride", Is::Stride),
    may("target", Is::OneOfNumbers(&[34962, 34963])),
    NAME,
];

const IMAGE: &[SchemaProperty] = &[
    may("uri", Is::Text),
    may("mimeType", Is::OneOf(PICTURES)),
    needing("bufferView", Is::Index("bufferViews"), "mimeType"),
    NAME,
];

/// The last four by extensions: whether these are declared is looked at there.
const PICTURES: &[&str] =
    &["image/jpeg", "image/png", "image/webp", "image/ktx2", "image/avif", "image/vnd-ms.dds"];

const TEXTURES: &[SchemaProperty] =
    &[may("sampler", Is::Index("samplers")), may("source", Is::Index("images")), NAME];

const TEXTURE_SAMPLER: &[SchemaProperty] = &[
    may("magFilter", Is::OneOfNumbers(&[9728, 9729])),
    may("minFilter", Is::OneOfNumbers(&[9728, 9729, 9984, 9985, 9986, 9987])),
    may("wrapS", Is::OneOfNumbers(WRAPS)),
    may("wrapT", Is::OneOfNumbers(WRAPS)),
    NAME,
];

const WRAPS: &[usize] = &[33071, 33648, 10497];

const MATERIAL: &[SchemaProperty] = &[
    may("pbrMetallicRoughness", Is::Object(METALLIC_ROUGHNESS)),
    may("normalTexture", Is::Object(NORMAL_TEXTURE)),
    may("occlusionTexture", Is::Object(OCCLUSION_TEXTURE)),
    may("emissiveTexture", Is::Object(TEXTURE_INFO)),
    may("emissiveFactor", numbers(&[3], SHARE)),
    may("alphaMode", Is::OneOf(&["OPAQUE", "MASK", "BLEND"])),
    needing("alphaCutoff", Is::Number(FROM_0), "alphaMode"),
    may("doubleSided", Is::Flag),
    NAME,
];

const METALLIC_ROUGHNESS: &[SchemaProperty] = &[
    may("baseColorFactor", numbers(&[4], SHARE)),
    may("baseColorTexture", Is::Object(TEXTURE_INFO)),
    may("metallicFactor", Is::Number(SHARE)),
    may("roughnessFactor", Is::Number(SHARE)),
    may("metallicRoughnessTexture", Is::Object(TEXTURE_INFO)),
];

const TEXTURE: SchemaProperty = must("index", Is::Index("textures"));
const SET: SchemaProperty = may("texCoord", FROM_ZERO);
const TEXTURE_INFO: &[SchemaProperty] = &[TEXTURE, SET];
const NORMAL_TEXTURE: &[SchemaProperty] = &[TEXTURE, SET, may("scale", Is::Number(ANY))];
const OCCLUSION_TEXTURE: &[SchemaProperty] = &[TEXTURE, SET, may("strength", Is::Number(SHARE))];

const CAMERA: &[SchemaProperty] = &[
    may("orthographic", Is::Object(ORTHOGRAPHIC)),
    may("perspective", Is::Object(PERSPECTIVE)),
    must("type", Is::OneOf(&["orthographic", "perspective"])),
    NAME,
];

const ORTHOGRAPHIC: &[SchemaProperty] = &[
    must("xmag", Is::Number(ANY)),
    must("ymag", Is::Number(ANY)),
    must("zfar", Is::Number(ABOVE_0)),
    must("znear", Is::Number(FROM_0)),
];

const PERSPECTIVE: &[SchemaProperty] = &[
    may("aspectRatio", Is::Number(ABOVE_0)),
    must("yfov", Is::Number(ABOVE_0)),
    may("zfar", Is::Number(ABOVE_0)),
    must("znear", Is::Number(ABOVE_0)),
];

/// What a mesh has of them. None is nothing to be drawn, and harms nothing else.
pub(super) const PRIMITIVES: &str = "primitives";

const MESH: &[SchemaProperty] =
    &[must(PRIMITIVES, Is::List(&Is::Object(PRIMITIVE))), may("weights", numbers(&[], ANY)), NAME];

const PRIMITIVE: &[SchemaProperty] = &[
    must("attributes", Is::Map(&Is::Index("accessors"))),
    may("indices", Is::Index("accessors")),
    may("material", Is::Index("materials")),
    may("mode", Is::Whole { least: 0, most: 6 }),
    may("targets", Is::List(&Is::Map(&Is::Index("accessors")))),
];

const NODE: &[SchemaProperty] = &[
    may("camera", Is::Index("cameras")),
    may("children", Is::Distinct(&Is::Index("nodes"))),
    needing("skin", Is::Index("skins"), "mesh"),
    may("matrix", numbers(&[16], FLOAT)),
    may("mesh", Is::Index("meshes")),
    may("rotation", numbers(&[4], (-1.0, 1.0))),
    may("scale", numbers(&[3], FLOAT)),
    may("translation", numbers(&[3], FLOAT)),
    needing("weights", numbers(&[], ANY), "mesh"),
    NAME,
];

const SCENE: &[SchemaProperty] = &[may("nodes", Is::Distinct(&Is::Index("nodes"))), NAME];

const SKIN: &[SchemaProperty] = &[
    may("inverseBindMatrices", Is::Index("accessors")),
    may("skeleton", Is::Index("nodes")),
    must("joints", Is::Distinct(&Is::Index("nodes"))),
    NAME,
];
