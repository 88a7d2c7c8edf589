//! The two forms of a glTF file.

/// How the new file holds its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// `.glb`: everything in one binary file.
    Glb,
    /// `.gltf`: text, with buffers and pictures embedded.
    Gltf,
}

impl Container {
    /// By the end of a file's name; `None` for others than `.glb` and `.gltf`.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, end) = name.rsplit_once('.')?;
        if end.eq_ignore_ascii_case("glb") {
            Some(Self::Glb)
        } else if end.eq_ignore_ascii_case("gltf") {
            Some(Self::Gltf)
        } else {
            None
        }
    }
}
