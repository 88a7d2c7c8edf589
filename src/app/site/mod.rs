//! Sites: the notebook's pages for browsers, from what wasm-bindgen wrote.

mod error;
mod pictures;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use bindpose_asset as asset;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{FormulaTable, LessonSet, SITE_COURSE};
use bindpose_page::theme;
use bindpose_paper::handout::{NoPictures, Pictures};
use bindpose_paper::site::{FrontPicture, Parts, Program, SiteFile, folder, one_file};
use bindpose_render::headless::HeadlessGl;
use bindpose_shipped as shipped;

use crate::app::handout_look::look;
use crate::app::pack::pack_course;
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
    /// The folder of a course; absent: the built-in lessons.
    pub course: Option<PathBuf>,
}

/// The lessons of a site, and their course, packed.
fn lessons(options: &SiteOptions) -> Result<(LessonSet, Option<Vec<u8>>), SiteError> {
    let Some(folder) = &options.course else {
        return Ok((LessonSet::embedded(), None));
    };
    let packed = pack_course(folder)?;
    let set = LessonSet::from_paths(std::slice::from_ref(folder))?;
    for (index, lesson) in set.lessons.iter().enumerate() {
        let mut before = set.lessons[..index].iter();
        if before.any(|other| other.folder == lesson.folder) {
            let title = format!("two lessons have the folder `{}`", lesson.folder);
            let help = "give one of them another number or slug: each has a page of that name";
            return Err(Diagnostic::said("NAME_TAKEN", title).help(help).into());
        }
    }
    Ok((set, Some(packed.bytes)))
}

/// The site as files of a folder.
///
/// Errors: [`SiteError`].
pub fn site_folder(options: &SiteOptions) -> Result<Vec<SiteFile>, SiteError> {
    let (set, course) = lessons(options)?;
    let (program, later) = (program(&options.program)?, later(&options.program));
    let fetched = fetched(&set, later, course);
    if !options.pictures {
        return Ok(folder(parts(&set, program, fetched, None, &mut NoPictures)));
    }
    // With a context of its own, so before that of the others is current.
    let front = front_picture(options.course.as_deref(), &set)?;
    let gl = HeadlessGl::new()?;
    let mut drawn = Drawn::new(&gl.gl(), &set)?;
    let files = folder(parts(&set, program, fetched, Some(front), &mut drawn));
    drawn.done()?;
    Ok(files)
}

/// The site as one file.
///
/// Errors: [`SiteError`].
pub fn site_in_one_file(options: &SiteOptions) -> Result<String, SiteError> {
    let (set, course) = lessons(options)?;
    let (program, later) = (program(&options.program)?, later(&options.program));
    let fetched = fetched(&set, later, course);
    Ok(one_file(parts(&set, program, fetched, None, &mut NoPictures)))
}

fn parts<'a>(
    set: &'a LessonSet,
    program: Program,
    fetched: Vec<(String, Vec<u8>)>,
    front: Option<FrontPicture>,
    pictures: &'a mut dyn Pictures,
) -> Parts<'a> {
    Parts { set, look: look(), rigs: &|id| asset::builtin(id), pictures, front, program, fetched }
}

/// What the program does not carry itself: path below `assets/`, and bytes. Of the
/// mathematics faces those that the formulas are set in.
fn fetched(
    set: &LessonSet,
    later: Option<Vec<u8>>,
    course: Option<Vec<u8>>,
) -> Vec<(String, Vec<u8>)> {
    let own = FormulaTable::of_lessons(set);
    let mut needed = own.faces();
    // A course has its own formulas in it.
    let formulas =
        if course.is_some() { FormulaTable::of_lessons(&LessonSet::embedded()) } else { own };
    needed.extend(formulas.faces());
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
    let course = course.map(|bytes| (SITE_COURSE.to_owned(), bytes));
    shipped.chain([formulas]).chain(later).chain(course).collect()
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
