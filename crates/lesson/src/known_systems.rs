//! What systems that skin meshes call things, and how they write their matrices: from
//! their documentation, in 2026.

use bindpose_skin::{Axes, Conventions, MemoryOrder, Vectors, keyed};

keyed! {
    /// A format, a library, an engine or a program.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum KnownSystem {
        /// glTF 2.0, §3.7.3.
        #[default]
        Gltf = "gltf" => "glTF",
        /// The Open Asset Import Library: `mesh.h`, `matrix4x4.h`.
        Assimp = "assimp" => "Assimp",
        /// With GLM, as most of its programs have it.
        OpenGl = "opengl" => "OpenGL",
        /// With `DirectXMath`.
        Direct3d = "direct3d" => "Direct3D",
        /// Its scripting reference.
        Unity = "unity" => "Unity",
        /// Its C++ reference.
        Unreal = "unreal" => "Unreal",
        /// Its Python reference.
        Blender = "blender" => "Blender",
        /// Godot 4: its class reference.
        Godot = "godot" => "Godot",
        /// Its documentation.
        ThreeJs = "three-js" => "three.js",
        /// With glam.
        Bevy = "bevy" => "bevy",
    }
}

/// What one of them calls a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemWord {
    /// What the lessons call it.
    pub ours: &'static str,
    /// What it is called there; Markdown.
    pub theirs: &'static str,
}

/// What the lessons call the things that every system has in some way.
const OURS: [&str; 4] =
    ["joint", "inverse bind matrix", "joints and weights of a vertex", "joint matrix"];

impl KnownSystem {
    /// How matrices are written there.
    pub fn conventions(self) -> Conventions {
        let (vectors, memory, axes) = match self {
            Self::Gltf | Self::OpenGl | Self::ThreeJs | Self::Bevy => {
                (Vectors::Columns, MemoryOrder::Columns, Axes::Gltf)
            }
            Self::Assimp | Self::Godot => (Vectors::Columns, MemoryOrder::Rows, Axes::Gltf),
            Self::Direct3d => (Vectors::Rows, MemoryOrder::Rows, Axes::MirroredZ),
            Self::Unity => (Vectors::Columns, MemoryOrder::Columns, Axes::MirroredX),
            Self::Unreal => (Vectors::Rows, MemoryOrder::Rows, Axes::ZUpLeftCm),
            Self::Blender => (Vectors::Columns, MemoryOrder::Columns, Axes::ZUp),
        };
        Conventions { vectors, memory, axes }
    }

    /// What things are called there.
    pub fn words(self) -> [SystemWord; 4] {
        let theirs = match self {
            Self::Gltf => [
                "joint: a node in `skin.joints`",
                "`skin.inverseBindMatrices`",
                "`JOINTS_0`, `WEIGHTS_0`",
                "joint matrix",
            ],
            Self::Assimp => [
                "bone: `aiBone`, and a node of the same name",
                "offset matrix: `aiBone::mOffsetMatrix`",
                "`aiBone::mWeights`: listed by bone, not by vertex",
                "none: the program makes it",
            ],
            Self::OpenGl => [
                "bone or joint: the program’s word",
                "offset or inverse bind matrix: the program’s word",
                "attributes of any name",
                "`uniform mat4 bones[]`, by custom",
            ],
            Self::Direct3d => [
                "bone; its node is a frame",
                "bone offset matrix",
                "`BLENDINDICES`, `BLENDWEIGHT`",
                "matrix palette",
            ],
            Self::Unity => [
                "bone: `SkinnedMeshRenderer.bones`",
                "bind pose: `Mesh.bindposes`, already inverted",
                "`BoneWeight`: `boneIndex0`, `weight0`, …",
                "none: the renderer makes it",
            ],
            Self::Unreal => [
                "bone of the `FReferenceSkeleton`",
                "`RefBasesInvMatrix`",
                "`FSkinWeightInfo`: `InfluenceBones`, `InfluenceWeights`",
                "reference to local",
            ],
            Self::Blender => [
                "bone of an armature; posed: pose bone",
                "stored nowhere: the inverse of `bone.matrix_local`",
                "vertex groups, found by the name of the bone",
                "`pose_bone.matrix @ bone.matrix_local.inverted()`",
            ],
            Self::Godot => [
                "bone of a `Skeleton3D`",
                "`Skin.get_bind_pose`, already inverted",
                "`ARRAY_BONES`, `ARRAY_WEIGHTS`",
                "none: the renderer makes it",
            ],
            Self::ThreeJs => [
                "bone: `Skeleton.bones`",
                "`Skeleton.boneInverses`",
                "`skinIndex`, `skinWeight`",
                "`Skeleton.boneMatrices`",
            ],
            Self::Bevy => [
                "joint: an entity in `SkinnedMesh.joints`",
                "`SkinnedMeshInverseBindposes`",
                "`ATTRIBUTE_JOINT_INDEX`, `ATTRIBUTE_JOINT_WEIGHT`",
                "none: the renderer makes it",
            ],
        };
        std::array::from_fn(|at| SystemWord { ours: OURS[at], theirs: theirs[at] })
    }

    /// What trips people there; Markdown.
    pub fn caution(self) -> &'static str {
        match self {
            Self::Gltf => {
                "The sixteen numbers of a file are columns: the translation is number 12, 13 and 14."
            }
            Self::Assimp => {
                "Vectors are columns, but memory goes by rows: handed to OpenGL as it lies, every matrix arrives transposed."
            }
            Self::OpenGl => {
                "It has no conventions of its own but in clip space; `glUniformMatrix4fv` can transpose."
            }
            Self::Direct3d => {
                "HLSL reads constants column by column unless told otherwise: programs transpose before they upload."
            }
            Self::Unity => {
                "Importers turn one axis round, most of them x; normals, turns and the order of triangles follow."
            }
            Self::Unreal => {
                "Products are read from the left to the right: `Local * Parent`. Lengths are centimetres."
            }
            Self::Blender => {
                "`m[1][3]` is row 1, column 3, though memory goes by columns. A bone points along its own y."
            }
            Self::Godot => "`Basis` lies in memory by rows; `basis.x` is a column all the same.",
            Self::ThreeJs => {
                "`Matrix4.set` takes rows and stores columns: what is typed and what is printed differ."
            }
            Self::Bevy => {
                "`Mat4::from_cols_array` takes columns: a matrix copied from a book must be transposed."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_says_something_of_everything() {
        for system in KnownSystem::ALL {
            assert!(system.words().iter().all(|word| !word.theirs.is_empty()));
            assert!(system.caution().ends_with('.'));
        }
        assert_eq!(KnownSystem::default().conventions(), Conventions::default());
    }

    #[test]
    fn what_lies_in_memory_alike_is_told_apart_by_the_side_of_vectors_alone() {
        let matrix = glam::Mat4::from_rotation_z(0.3);
        let in_memory = |system: KnownSystem| {
            let conventions = Conventions { axes: Axes::Gltf, ..system.conventions() };
            conventions.in_memory(&matrix)
        };
        // OpenGL and Direct3D: both conventions differ, and the bytes are the same.
        let (gl, d3d) = (KnownSystem::OpenGl, KnownSystem::Direct3d);
        assert_eq!(in_memory(gl), in_memory(d3d));
        assert_ne!(in_memory(gl), in_memory(KnownSystem::Assimp));
    }
}
