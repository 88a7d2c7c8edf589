//! Terms and matrix conventions of other skinning systems, from their documentation in 2026.
//! The texts are in `assets/words/systems.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bindpose_skin::{ConventionAxes, Conventions, MemoryOrder, Vectors, keyed};
use serde::Deserialize;

keyed! {
    /// A format, a library, an engine or a program.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum KnownSystem {
        /// glTF 2.0, §3.7.3.
        #[default]
        Gltf = "gltf" => "glTF",
        /// The Open Asset Import Library: `mesh.h`, `matrix4x4.h`.
        Assimp = "assimp" => "Assimp",
        /// With GLM, as in most programs.
        OpenGl = "opengl" => "OpenGL",
        /// With `DirectXMath`.
        Direct3d = "direct3d" => "Direct3D",
        /// From the scripting reference.
        Unity = "unity" => "Unity",
        /// From the C++ reference.
        Unreal = "unreal" => "Unreal",
        /// From the Python reference.
        Blender = "blender" => "Blender",
        /// Godot 4, from the class reference.
        Godot = "godot" => "Godot",
        ThreeJs = "three-js" => "three.js",
        /// With glam.
        Bevy = "bevy" => "bevy",
    }
}

/// Name of a thing in another system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemWord {
    /// Name in the lessons.
    pub ours: &'static str,
    /// Name in the system, in Markdown.
    pub theirs: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemText {
    /// Names of the things in `SystemTexts::ours`, in the same order.
    words: [&'static str; 4],
    caution: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
struct SystemTexts {
    /// Names in the lessons of things that every system has in some form.
    ours: [&'static str; 4],
    /// Texts by [`KnownSystem::key`]. A test checks that all systems are there.
    systems: BTreeMap<&'static str, SystemText>,
}

static TEXTS: LazyLock<SystemTexts> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../assets/words/systems.toml")).expect("a test reads it")
});

impl KnownSystem {
    /// Matrix conventions of the system.
    pub fn conventions(self) -> Conventions {
        let (vectors, memory, axes) = match self {
            Self::Gltf | Self::OpenGl | Self::ThreeJs | Self::Bevy => {
                (Vectors::Columns, MemoryOrder::Columns, ConventionAxes::Gltf)
            }
            Self::Assimp | Self::Godot => {
                (Vectors::Columns, MemoryOrder::Rows, ConventionAxes::Gltf)
            }
            Self::Direct3d => (Vectors::Rows, MemoryOrder::Rows, ConventionAxes::MirroredZ),
            Self::Unity => (Vectors::Columns, MemoryOrder::Columns, ConventionAxes::MirroredX),
            Self::Unreal => (Vectors::Rows, MemoryOrder::Rows, ConventionAxes::ZUpLeftCm),
            Self::Blender => (Vectors::Columns, MemoryOrder::Columns, ConventionAxes::ZUp),
        };
        Conventions { vectors, memory, axes }
    }

    /// Names of things in the system.
    pub fn words(self) -> [SystemWord; 4] {
        let theirs = TEXTS.systems[self.key()].words;
        std::array::from_fn(|at| SystemWord { ours: TEXTS.ours[at], theirs: theirs[at] })
    }

    /// Pitfall of the system, in Markdown.
    pub fn caution(self) -> &'static str {
        TEXTS.systems[self.key()].caution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_has_all_texts() {
        assert_eq!(TEXTS.systems.len(), KnownSystem::ALL.len());
        for system in KnownSystem::ALL {
            assert!(TEXTS.systems.contains_key(system.key()), "{}", system.key());
            for SystemWord { ours, theirs } in system.words() {
                assert!(!ours.is_empty() && !theirs.is_empty(), "{}", system.key());
            }
            assert!(system.caution().ends_with('.'));
        }
        assert_eq!(KnownSystem::default().conventions(), Conventions::default());
    }

    #[test]
    fn equal_memory_layouts_differ_only_in_the_side_of_vectors() {
        let matrix = glam::Mat4::from_rotation_z(0.3);
        let in_memory = |system: KnownSystem| {
            let conventions = Conventions { axes: ConventionAxes::Gltf, ..system.conventions() };
            conventions.in_memory(&matrix)
        };
        // OpenGL and Direct3D: both conventions differ, and the bytes are the same.
        let (gl, d3d) = (KnownSystem::OpenGl, KnownSystem::Direct3d);
        assert_eq!(in_memory(gl), in_memory(d3d));
        assert_ne!(in_memory(gl), in_memory(KnownSystem::Assimp));
    }
}
