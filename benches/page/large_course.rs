//! A lesson with the cells that could be slow, on a model of any size.

use std::fs;
use std::path::Path;

use bindpose::asset::{Progress, open};

use crate::generated;

/// What stands for the parameter that is dragged in the lesson's text.
const DRAGGED: &str = "DRAGGED";
const JOINTS: usize = 64;

/// Writes the lesson with a model of so many vertices into an empty folder; the
/// lesson's name, and the parameter to be dragged.
pub(crate) fn write(folder: &Path, vertices: usize) -> Result<(&'static str, String), String> {
    let source = generated::model(vertices, JOINTS)?;
    let rig = open(&source, &Progress::default()).map_err(|error| error.to_string())?;
    // Neither the first joint, which moves all, nor the last, which moves little.
    let dragged = rig.angles().nth(JOINTS / 4);
    let dragged = dragged.ok_or("the model has no angles")?.name.clone();
    let lesson = folder.join("10-large");
    let text = include_str!("large.md").replace(DRAGGED, &dragged);
    let course = "name = \"large\"\ntitle = \"Large\"\nbuilt-in = \"left-out\"\n";
    fs::create_dir_all(&lesson)
        .and_then(|()| fs::write(folder.join("lessons.toml"), course))
        .and_then(|()| fs::write(lesson.join("large.glb"), &source.main))
        .and_then(|()| fs::write(lesson.join("lesson.md"), text))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(("large", dragged))
}
