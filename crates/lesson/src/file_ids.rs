//! Which of the names in a lesson are files that it brings along.

use super::{Cell, CellKind, Lesson, LessonBlock, PlotData};

/// Is it the name of a file, such as `hand.glb`, or the id of one? Built-in rigs have
/// no point in their names.
pub fn is_file(rig: &str) -> bool {
    rig.contains('.')
}

/// Is it the name of a model, by its ending?
pub fn is_model(file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["glb", "gltf", "ezm"].iter().any(|one| ending.eq_ignore_ascii_case(one))
}

impl Lesson {
    /// The files that it brings along, as [`super::LessonSet::file`] takes them.
    pub fn file_ids(&self) -> impl Iterator<Item = &str> {
        let of_steps = self.steps.iter().filter_map(|step| step.rig.as_deref());
        let of_pictures = self.cells().filter_map(|cell| cell.kind.own_rig());
        let all = std::iter::once(self.rig.as_str()).chain(of_steps);
        all.chain(of_pictures).filter(|rig| is_file(rig))
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
        let of_steps = self.steps.iter_mut().flat_map(|step| {
            let cells = step.stage.iter_mut().chain(cells_in_mut(&mut step.blocks));
            let of_pictures = cells.filter_map(|cell| cell.kind.own_rig_mut());
            step.rig.iter_mut().chain(of_pictures)
        });
        let cells = self.stage.iter_mut().chain(cells_in_mut(&mut self.intro));
        let of_pictures = cells.filter_map(|cell| cell.kind.own_rig_mut());
        let all = std::iter::once(&mut self.rig).chain(of_pictures);
        all.chain(of_steps).filter(|rig| is_file(rig))
    }
}

impl CellKind {
    /// The rig that a picture has of its own.
    pub fn own_rig(&self) -> Option<&str> {
        match self {
            Self::Viewport(cell) => cell.rig.as_deref(),
            _ => None,
        }
    }

    fn own_rig_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Viewport(cell) => cell.rig.as_mut(),
            _ => None,
        }
    }
}

fn cells_in_mut(blocks: &mut [LessonBlock]) -> impl Iterator<Item = &mut Cell> {
    blocks.iter_mut().filter_map(|block| match block {
        LessonBlock::Cell(cell) => Some(&mut **cell),
        _ => None,
    })
}
