//! Which of the names in a lesson are files that it brings along.

use super::{CellKind, Lesson, PlotData};

/// Is it the name of a file, such as `hand.glb`, or the id of one? Built-in rigs have
/// no point in their names.
pub fn is_file(rig: &str) -> bool {
    rig.contains('.')
}

/// What the names of models end in.
pub const MODEL_ENDINGS: [&str; 3] = ["glb", "gltf", "ezm"];

/// Is it the name of a model, by its ending?
pub fn is_model(file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    MODEL_ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one))
}

impl Lesson {
    /// The files that it brings along, as [`super::LessonSet::file`] takes them.
    pub fn file_ids(&self) -> impl Iterator<Item = &str> {
        let of_steps = self.steps.iter().filter_map(|step| step.rig.as_deref());
        std::iter::once(self.rig.as_str()).chain(of_steps).filter(|rig| is_file(rig))
    }

    /// The files that its cells show, tables of numbers and pictures, as its author names
    /// them in its folder.
    pub fn shown_files(&self) -> impl Iterator<Item = &str> {
        self.cells().flat_map(|cell| match &cell.kind {
            CellKind::Plot(plot) => match &plot.data {
                Some(PlotData::File(name, _)) => vec![name.as_str()],
                _ => Vec::new(),
            },
            CellKind::Picture(picture) => picture.files().map(|file| &*file.name).collect(),
            _ => Vec::new(),
        })
    }

    /// The names of its files: as its author writes them, `hand.glb`, until it stands
    /// in a set, and then as [`super::LessonSet::file`] takes them.
    pub(super) fn file_ids_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let of_steps = self.steps.iter_mut().filter_map(|step| step.rig.as_mut());
        std::iter::once(&mut self.rig).chain(of_steps).filter(|rig| is_file(rig))
    }
}
