//! A lesson with the cells that could be slow, on a model of any size.

use std::fs;
use std::path::{Path, PathBuf};

use bindpose_asset::{TaskProgress, open};
use bindpose_lesson::{PackedFiles, pack};

use crate::generated;

/// What stands for the parameter that is dragged in the lesson's text.
const DRAGGED: &str = "DRAGGED";
const JOINTS: usize = 64;

/// Writes the lesson with a model of so many vertices, packed, into an empty folder;
/// its file, and the parameter to be dragged. Lessons in a folder would be checked
/// while they are measured.
pub(crate) fn write(folder: &Path, vertices: usize) -> Result<(PathBuf, String), String> {
    let source = generated::model(vertices, JOINTS)?;
    let rig = open(&source, &TaskProgress::default()).map_err(|error| error.to_string())?;
    // Neither the first joint, which moves all, nor the last, which moves little.
    let dragged = rig.angles().nth(JOINTS / 4);
    let dragged = dragged.ok_or("the model has no angles")?.name.clone();
    let lesson = include_str!("large.md").replace(DRAGGED, &dragged);
    let course = "name = \"large\"\ntitle = \"Large\"\nbuilt-in = \"left-out\"\n";
    let files = [
        ("lessons.toml", course.as_bytes()),
        ("10-large/lesson.md", lesson.as_bytes()),
        ("10-large/large.glb", &source.main),
    ];
    let files = files.map(|(path, bytes)| (path.to_owned(), bytes.into()));
    let packed = pack(&PackedFiles::from(files)).map_err(|error| error.to_string())?;
    let file = folder.join("large.bindpose");
    fs::write(&file, packed).map_err(|error| error.to_string())?;
    Ok((file, dragged))
}
