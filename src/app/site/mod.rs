//! Sites: the notebook's pages for browsers, from what wasm-bindgen wrote.

mod error;
mod pictures;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::app::handout_look::look;
use crate::asset;
use crate::handout::{NoPictures, Pictures};
use crate::lesson::{FormulaTable, LessonSet};
use crate::render::headless::HeadlessGl;
use crate::shipped;
use crate::site::{FrontPicture, Parts, Program, SiteFile, folder, one_file};
use crate::ui::theme;
pub use error::SiteError;
use pictures::{Drawn, front_picture};

/// The second part of the program, in its folder and in the list of what is fetched.
const LATER: &str = "bindpose-later.wasm";

/// What a site is made of.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The folder with `bindpose_bg.wasm` and `bindpose.js`, and `bindpose-later.wasm`
    /// where the program has two parts.
    pub program: PathBuf,
    /// With pictures in the texts?
    pub pictures: bool,
}

/// The site as files of a folder.
///
/// # Errors
/// See [`SiteError`].
pub fn site_folder(options: &SiteOptions) -> Result<Vec<SiteFile>, SiteError> {
    let set = LessonSet::embedded();
    let (program, later) = (program(&options.program)?, later(&options.program));
    if !options.pictures {
        return Ok(folder(parts(&set, (program, later), None, &mut NoPictures)));
    }
    // With a context of its own, so before that of the others is current.
    let front = front_picture()?;
    let gl = HeadlessGl::new()?;
    let mut drawn = Drawn::new(&gl.gl(), &set)?;
    let files = folder(parts(&set, (program, later), Some(front), &mut drawn));
    drawn.done()?;
    Ok(files)
}

/// The site as one file.
///
/// # Errors
/// See [`SiteError`].
pub fn site_in_one_file(options: &SiteOptions) -> Result<String, SiteError> {
    let set = LessonSet::embedded();
    let (program, later) = (program(&options.program)?, later(&options.program));
    Ok(one_file(parts(
        &set,
        (program, later),
        None,
        &mut NoPictures,
    )))
}

fn parts<'a>(
    set: &'a LessonSet,
    (program, later): (Program, Option<Vec<u8>>),
    front: Option<FrontPicture>,
    pictures: &'a mut dyn Pictures,
) -> Parts<'a> {
    Parts {
        set,
        look: look(),
        rigs: &|id| asset::builtin(id),
        pictures,
        front,
        program,
        fetched: fetched(set, later),
    }
}

/// What the program does not carry itself: path below `assets/`, and bytes. Of the
/// mathematics faces those that the formulas are set in.
fn fetched(set: &LessonSet, later: Option<Vec<u8>>) -> Vec<(String, Vec<u8>)> {
    let formulas = FormulaTable::of_lessons(set);
    let needed = formulas.faces();
    let is_idle = |path: &str| {
        let mut faces = theme::mathematics();
        let of_mathematics = faces.find(|(_, face_path)| *face_path == path);
        of_mathematics.is_some_and(|(face, _)| !needed.contains(face))
    };
    let shipped = shipped::FETCHED.iter().filter_map(|&path| {
        let bytes = shipped::file(path).bytes()?;
        (!is_idle(path)).then(|| (path.to_owned(), bytes.to_vec()))
    });
    let formulas = (shipped::FORMULAS.to_owned(), formulas.text().into_bytes());
    let later = later.map(|bytes| (LATER.to_owned(), bytes));
    shipped.chain([formulas]).chain(later).collect()
}

/// The second part of the program, where it has one.
fn later(folder: &Path) -> Option<Vec<u8>> {
    std::fs::read(folder.join(LATER)).ok()
}

fn program(folder: &Path) -> Result<Program, SiteError> {
    let read = |name: &str| {
        let file = folder.join(name);
        std::fs::read(&file).map_err(|why| SiteError::Program { file, why })
    };
    Ok(Program {
        wasm: read("bindpose_bg.wasm")?,
        glue: String::from_utf8_lossy(&read("bindpose.js")?).into_owned(),
    })
}
