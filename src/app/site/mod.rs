//! Sites: the notebook's pages for browsers, from what wasm-bindgen wrote.

mod error;
mod pictures;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::app::handout_look::look;
use crate::app::lessons::lessons;
use crate::asset;
use crate::handout::{NoPictures, Pictures};
use crate::lesson::LessonSet;
use crate::render::headless::HeadlessGl;
use crate::site::{FrontPicture, Parts, Program, SiteFile, folder, one_file};
pub use error::SiteError;
use pictures::{Drawn, front_picture};

/// What a site is made of.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The folder with `bindpose_bg.wasm` and `bindpose.js`.
    pub program: PathBuf,
    /// With pictures in the texts?
    pub pictures: bool,
}

/// The site as files of a folder.
///
/// # Errors
/// See [`SiteError`].
pub fn site_folder(options: &SiteOptions) -> Result<Vec<SiteFile>, SiteError> {
    let set = lessons(None)?;
    let program = program(&options.program)?;
    if !options.pictures {
        return Ok(folder(parts(&set, program, None, &mut NoPictures)));
    }
    // With a context of its own, so before that of the others is current.
    let front = front_picture()?;
    let gl = HeadlessGl::new()?;
    let mut drawn = Drawn::new(&gl.gl(), &set)?;
    let files = folder(parts(&set, program, Some(front), &mut drawn));
    drawn.done()?;
    Ok(files)
}

/// The site as one file.
///
/// # Errors
/// See [`SiteError`].
pub fn site_in_one_file(options: &SiteOptions) -> Result<String, SiteError> {
    let set = lessons(None)?;
    let program = program(&options.program)?;
    Ok(one_file(parts(&set, program, None, &mut NoPictures)))
}

fn parts<'a>(
    set: &'a LessonSet,
    program: Program,
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
        // Whatever the program does not carry itself.
        fetched: Vec::new(),
    }
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
