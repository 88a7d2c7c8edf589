//! The glTF 2.0 schema as tables. Contents of extensions are not part of it.

/// The values that the schema allows at a place.
pub(super) enum ValueSchema {
    String,
    Bool,
    Object(&'static [SchemaProperty]),
    /// A list with at least one entry.
    List(&'static Self),
    /// A list with at least one entry, all of them different.
    UniqueList(&'static Self),
    /// An object with arbitrary names, all values of which follow one schema.
    Map(&'static Self),
    /// An index into the top-level list of this name.
    Index(&'static str),
    /// An index into a list of the same parent. The schema does not check whether the entry
    /// exists.
    LocalIndex,
    /// Two integers separated by a dot.
    Version,
    /// An integer within inclusive limits.
    Integer {
        min: usize,
        max: usize,
    },
    /// The distance between consecutive vertices, in bytes.
    Stride,
    Number(NumberRange),
    /// A list of numbers of one of these lengths, or of any length if there are none.
    NumberList {
        lengths: &'static [usize],
        range: NumberRange,
    },
    OneOfStrings(&'static [&'static str]),
    OneOfIntegers(&'static [usize]),
}

/// Inclusive limits of a number.
#[derive(Clone, Copy)]
pub(super) struct NumberRange {
    pub(super) min: f64,
    pub(super) max: f64,
}

/// A property of an object.
pub(super) struct SchemaProperty {
    pub(super) name: &'static str,
    pub(super) schema: ValueSchema,
    pub(super) is_required: bool,
    /// Another property of the object that this one requires, if any.
    pub(super) needs: Option<&'static str>,
}

const FLOAT: NumberRange = NumberRange { min: -(f32::MAX as f64), max: f32::MAX as f64 };
const UNIT: NumberRange = NumberRange { min: 0.0, max: 1.0 };
const SIGNED_UNIT: NumberRange = NumberRange { min: -1.0, max: 1.0 };
const NON_NEGATIVE: NumberRange = NumberRange { min: 0.0, max: f64::MAX };
const POSITIVE: NumberRange = NumberRange { min: f64::MIN_POSITIVE, max: f64::MAX };
const ANY_NUMBER: NumberRange = NumberRange { min: f64::MIN, max: f64::MAX };

const BOUNDS: ValueSchema = number_list(&[1, 2, 3, 4, 9, 16], FLOAT);
const INTEGER_FROM_0: ValueSchema = ValueSchema::Integer { min: 0, max: usize::MAX };
const INTEGER_FROM_1: ValueSchema = ValueSchema::Integer { min: 1, max: usize::MAX };
const NAME: SchemaProperty = optional("name", ValueSchema::String);

const fn number_list(lengths: &'static [usize], range: NumberRange) -> ValueSchema {
    ValueSchema::NumberList { lengths, range }
}

const fn optional(name: &'static str, schema: ValueSchema) -> SchemaProperty {
    SchemaProperty { name, schema, is_required: false, needs: None }
}

const fn required(name: &'static str, schema: ValueSchema) -> SchemaProperty {
    SchemaProperty { is_required: true, ..optional(name, schema) }
}

/// An optional property that requires another one beside it.
const fn dependent(name: &'static str, schema: ValueSchema, needs: &'static str) -> SchemaProperty {
    SchemaProperty { needs: Some(needs), ..optional(name, schema) }
}

pub(super) const ROOT: &[SchemaProperty] = &[
    required("asset", ValueSchema::Object(ASSET)),
    optional("accessors", ValueSchema::List(&ValueSchema::Object(ACCESSOR))),
    optional("animations", ValueSchema::List(&ValueSchema::Object(ANIMATION))),
    optional("buffers", ValueSchema::List(&ValueSchema::Object(BUFFER))),
    optional("bufferViews", ValueSchema::List(&ValueSchema::Object(BUFFER_VIEW))),
    optional("cameras", ValueSchema::List(&ValueSchema::Object(CAMERA))),
    dependent(
        "extensionsRequired",
        ValueSchema::UniqueList(&ValueSchema::String),
        "extensionsUsed",
    ),
    optional("extensionsUsed", ValueSchema::UniqueList(&ValueSchema::String)),
    optional("images", ValueSchema::List(&ValueSchema::Object(IMAGE))),
    optional("materials", ValueSchema::List(&ValueSchema::Object(MATERIAL))),
    optional("meshes", ValueSchema::List(&ValueSchema::Object(MESH))),
    optional("nodes", ValueSchema::List(&ValueSchema::Object(NODE))),
    optional("samplers", ValueSchema::List(&ValueSchema::Object(TEXTURE_SAMPLER))),
    optional("scene", ValueSchema::Index("scenes")),
    optional("scenes", ValueSchema::List(&ValueSchema::Object(SCENE))),
    optional("skins", ValueSchema::List(&ValueSchema::Object(SKIN))),
    optional("textures", ValueSchema::List(&ValueSchema::Object(TEXTURE))),
];

const ASSET: &[SchemaProperty] = &[
    required("version", ValueSchema::Version),
    optional("minVersion", ValueSchema::Version),
    optional("generator", ValueSchema::String),
    optional("copyright", ValueSchema::String),
];

const ACCESSOR: &[SchemaProperty] = &[
    optional("bufferView", ValueSchema::Index("bufferViews")),
    dependent("byteOffset", INTEGER_FROM_0, "bufferView"),
    required("componentType", ValueSchema::OneOfIntegers(COMPONENT_TYPES)),
    optional("normalized", ValueSchema::Bool),
    required("count", INTEGER_FROM_1),
    required("type", ValueSchema::OneOfStrings(ELEMENT_TYPES)),
    optional("max", BOUNDS),
    optional("min", BOUNDS),
    optional("sparse", ValueSchema::Object(SPARSE)),
    NAME,
];

const COMPONENT_TYPES: &[usize] = &[5120, 5121, 5122, 5123, 5125, 5126];
const ELEMENT_TYPES: &[&str] = &["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"];

const SPARSE: &[SchemaProperty] = &[
    required("count", INTEGER_FROM_1),
    required("indices", ValueSchema::Object(SPARSE_INDICES)),
    required("values", ValueSchema::Object(SPARSE_VALUES)),
];

const SPARSE_INDICES: &[SchemaProperty] = &[
    required("bufferView", ValueSchema::Index("bufferViews")),
    optional("byteOffset", INTEGER_FROM_0),
    required("componentType", ValueSchema::OneOfIntegers(&[5121, 5123, 5125])),
];

const SPARSE_VALUES: &[SchemaProperty] = &[
    required("bufferView", ValueSchema::Index("bufferViews")),
    optional("byteOffset", INTEGER_FROM_0),
];

const ANIMATION: &[SchemaProperty] = &[
    required("channels", ValueSchema::List(&ValueSchema::Object(CHANNEL))),
    required("samplers", ValueSchema::List(&ValueSchema::Object(ANIMATION_SAMPLER))),
    NAME,
];

const CHANNEL: &[SchemaProperty] = &[
    required("sampler", ValueSchema::LocalIndex),
    required("target", ValueSchema::Object(TARGET)),
];

const TARGET: &[SchemaProperty] = &[
    optional("node", ValueSchema::Index("nodes")),
    required(
        "path",
        ValueSchema::OneOfStrings(&["translation", "rotation", "scale", "weights", "pointer"]),
    ),
];

const ANIMATION_SAMPLER: &[SchemaProperty] = &[
    required("input", ValueSchema::Index("accessors")),
    optional("interpolation", ValueSchema::OneOfStrings(&["LINEAR", "STEP", "CUBICSPLINE"])),
    required("output", ValueSchema::Index("accessors")),
];

const BUFFER: &[SchemaProperty] =
    &[optional("uri", ValueSchema::String), required("byteLength", INTEGER_FROM_1), NAME];

const BUFFER_VIEW: &[SchemaProperty] = &[
    required("buffer", ValueSchema::Index("buffers")),
    optional("byteOffset", INTEGER_FROM_0),
    required("byteLength", INTEGER_FROM_1),
    optional("byteStride", ValueSchema::Stride),
    optional("target", ValueSchema::OneOfIntegers(&[34962, 34963])),
    NAME,
];

const IMAGE: &[SchemaProperty] = &[
    optional("uri", ValueSchema::String),
    optional("mimeType", ValueSchema::OneOfStrings(IMAGE_TYPES)),
    dependent("bufferView", ValueSchema::Index("bufferViews"), "mimeType"),
    NAME,
];

/// The last four require extensions, which are checked where they are declared.
const IMAGE_TYPES: &[&str] =
    &["image/jpeg", "image/png", "image/webp", "image/ktx2", "image/avif", "image/vnd-ms.dds"];

const TEXTURE: &[SchemaProperty] = &[
    optional("sampler", ValueSchema::Index("samplers")),
    optional("source", ValueSchema::Index("images")),
    NAME,
];

const TEXTURE_SAMPLER: &[SchemaProperty] = &[
    optional("magFilter", ValueSchema::OneOfIntegers(&[9728, 9729])),
    optional("minFilter", ValueSchema::OneOfIntegers(&[9728, 9729, 9984, 9985, 9986, 9987])),
    optional("wrapS", ValueSchema::OneOfIntegers(WRAP_MODES)),
    optional("wrapT", ValueSchema::OneOfIntegers(WRAP_MODES)),
    NAME,
];

const WRAP_MODES: &[usize] = &[33071, 33648, 10497];

const MATERIAL: &[SchemaProperty] = &[
    optional("pbrMetallicRoughness", ValueSchema::Object(METALLIC_ROUGHNESS)),
    optional("normalTexture", ValueSchema::Object(NORMAL_TEXTURE)),
    optional("occlusionTexture", ValueSchema::Object(OCCLUSION_TEXTURE)),
    optional("emissiveTexture", ValueSchema::Object(TEXTURE_INFO)),
    optional("emissiveFactor", number_list(&[3], UNIT)),
    optional("alphaMode", ValueSchema::OneOfStrings(&["OPAQUE", "MASK", "BLEND"])),
    dependent("alphaCutoff", ValueSchema::Number(NON_NEGATIVE), "alphaMode"),
    optional("doubleSided", ValueSchema::Bool),
    NAME,
];

const METALLIC_ROUGHNESS: &[SchemaProperty] = &[
    optional("baseColorFactor", number_list(&[4], UNIT)),
    optional("baseColorTexture", ValueSchema::Object(TEXTURE_INFO)),
    optional("metallicFactor", ValueSchema::Number(UNIT)),
    optional("roughnessFactor", ValueSchema::Number(UNIT)),
    optional("metallicRoughnessTexture", ValueSchema::Object(TEXTURE_INFO)),
];

const TEXTURE_INDEX: SchemaProperty = required("index", ValueSchema::Index("textures"));
const TEXTURE_SET: SchemaProperty = optional("texCoord", INTEGER_FROM_0);
const TEXTURE_INFO: &[SchemaProperty] = &[TEXTURE_INDEX, TEXTURE_SET];
const NORMAL_TEXTURE: &[SchemaProperty] =
    &[TEXTURE_INDEX, TEXTURE_SET, optional("scale", ValueSchema::Number(ANY_NUMBER))];
const OCCLUSION_TEXTURE: &[SchemaProperty] =
    &[TEXTURE_INDEX, TEXTURE_SET, optional("strength", ValueSchema::Number(UNIT))];

const CAMERA: &[SchemaProperty] = &[
    optional("orthographic", ValueSchema::Object(ORTHOGRAPHIC)),
    optional("perspective", ValueSchema::Object(PERSPECTIVE)),
    required("type", ValueSchema::OneOfStrings(&["orthographic", "perspective"])),
    NAME,
];

const ORTHOGRAPHIC: &[SchemaProperty] = &[
    required("xmag", ValueSchema::Number(ANY_NUMBER)),
    required("ymag", ValueSchema::Number(ANY_NUMBER)),
    required("zfar", ValueSchema::Number(POSITIVE)),
    required("znear", ValueSchema::Number(NON_NEGATIVE)),
];

const PERSPECTIVE: &[SchemaProperty] = &[
    optional("aspectRatio", ValueSchema::Number(POSITIVE)),
    required("yfov", ValueSchema::Number(POSITIVE)),
    optional("zfar", ValueSchema::Number(POSITIVE)),
    required("znear", ValueSchema::Number(POSITIVE)),
];

/// A mesh without primitives draws nothing but does no other harm, so that its absence gets a
/// rule of its own.
pub(super) const PRIMITIVES: &str = "primitives";

const MESH: &[SchemaProperty] = &[
    required(PRIMITIVES, ValueSchema::List(&ValueSchema::Object(PRIMITIVE))),
    optional("weights", number_list(&[], ANY_NUMBER)),
    NAME,
];

const PRIMITIVE: &[SchemaProperty] = &[
    required("attributes", ValueSchema::Map(&ValueSchema::Index("accessors"))),
    optional("indices", ValueSchema::Index("accessors")),
    optional("material", ValueSchema::Index("materials")),
    optional("mode", ValueSchema::Integer { min: 0, max: 6 }),
    optional("targets", ValueSchema::List(&ValueSchema::Map(&ValueSchema::Index("accessors")))),
];

const NODE: &[SchemaProperty] = &[
    optional("camera", ValueSchema::Index("cameras")),
    optional("children", ValueSchema::UniqueList(&ValueSchema::Index("nodes"))),
    dependent("skin", ValueSchema::Index("skins"), "mesh"),
    optional("matrix", number_list(&[16], FLOAT)),
    optional("mesh", ValueSchema::Index("meshes")),
    optional("rotation", number_list(&[4], SIGNED_UNIT)),
    optional("scale", number_list(&[3], FLOAT)),
    optional("translation", number_list(&[3], FLOAT)),
    dependent("weights", number_list(&[], ANY_NUMBER), "mesh"),
    NAME,
];

const SCENE: &[SchemaProperty] =
    &[optional("nodes", ValueSchema::UniqueList(&ValueSchema::Index("nodes"))), NAME];

const SKIN: &[SchemaProperty] = &[
    optional("inverseBindMatrices", ValueSchema::Index("accessors")),
    optional("skeleton", ValueSchema::Index("nodes")),
    required("joints", ValueSchema::UniqueList(&ValueSchema::Index("nodes"))),
    NAME,
];
