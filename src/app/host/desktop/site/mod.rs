//! Makes sites, which are the notebook's pages for browsers, from the output of wasm-bindgen.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_kit::theme;
use bindpose_lesson::{FORMULAS_FILE, FormulaTable, LessonSet, SITE_COURSE};
use bindpose_notebook::export::small_png;
use bindpose_paper::handout::{
    HandoutPicture, NoPictures, PictureRenderer, PictureRequest, PictureSource,
};
use bindpose_paper::site::{
    CLASS_PART_FILE_NAME, FrontPicture, SiteFile, SiteParts, SiteProgram, folder, one_file,
};
use bindpose_render::RenderError;
use bindpose_render::headless::HeadlessGl;
use bindpose_rigs::WHALE_FILE;
use eframe::glow;

use super::packed_courses::pack_course;
use super::shot::{COVER, ShotError, ShotOptions, shot};
use crate::app::handout::look::handout_look;
use crate::app::handout::make_stills;
use crate::app::{LICENCES, PRELOADED_FILES};

/// Files of further parts of the program that pages fetch.
const PROGRAM_PARTS: [&str; 3] =
    ["bindpose-pages.wasm", "bindpose-later.wasm", CLASS_PART_FILE_NAME];

/// Content of a site.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// Folder with `bindpose_bg.wasm`, `bindpose.js`, and any further parts of the program
    /// (`bindpose-….wasm`).
    pub program: PathBuf,
    /// Whether the texts have pictures.
    pub pictures: bool,
    /// Folder of a course. The built-in lessons if `None`.
    pub course: Option<PathBuf>,
    /// Address of the site; see [`SiteParts::url`].
    pub url: Option<String>,
}

/// Loads the lessons of a site, and packs their course.
fn load_lessons(options: &SiteOptions) -> Result<(LessonSet, Option<Vec<u8>>), SiteError> {
    let Some(folder) = &options.course else {
        return Ok((LessonSet::embedded(), None));
    };
    let packed = pack_course(folder)?;
    let set = LessonSet::from_paths(std::slice::from_ref(folder))?;
    for (index, lesson) in set.lessons.iter().enumerate() {
        if set.lessons[..index].iter().any(|earlier| earlier.site_folder() == lesson.site_folder())
        {
            let title = format!("two lessons have the folder `{}`", lesson.site_folder());
            let help = "give one of them another number or slug: each has a page of that name";
            return Err(Diagnostic::said("NAME_TAKEN", title).help(help).into());
        }
    }
    Ok((set, Some(packed.bytes)))
}

/// Makes a site as the files of a folder.
///
/// # Errors
///
/// A [`SiteError`] if lessons, program or pictures fail.
pub fn site_folder(options: &SiteOptions) -> Result<Vec<SiteFile>, SiteError> {
    let (set, course) = load_lessons(options)?;
    let program = read_program(&options.program)?;
    let fetched = fetched_files(&set, &options.program, course);
    if !options.pictures {
        return Ok(folder(site_parts(options, &set, program, fetched, None, &mut NoPictures)));
    }
    // Drawing it makes a GL context, so it precedes the current context of the other pictures.
    let front = draw_front_picture(options.course.as_deref(), &set)?;
    let gl = HeadlessGl::new()?;
    let mut pictures = SitePictureSource::new(&gl.gl(), &set)?;
    let files = folder(site_parts(options, &set, program, fetched, Some(front), &mut pictures));
    match pictures.error {
        Some(error) => Err(SiteError::Picture(error)),
        None => Ok(files),
    }
}

/// Makes a site as one HTML file.
///
/// # Errors
///
/// A [`SiteError`] if lessons or program cannot be read.
pub fn site_in_one_file(options: &SiteOptions) -> Result<String, SiteError> {
    let (set, course) = load_lessons(options)?;
    let program = read_program(&options.program)?;
    let fetched = fetched_files(&set, &options.program, course);
    Ok(one_file(site_parts(options, &set, program, fetched, None, &mut NoPictures)))
}

fn site_parts<'a>(
    options: &SiteOptions,
    set: &'a LessonSet,
    program: SiteProgram,
    fetched: Vec<(String, Vec<u8>)>,
    front: Option<FrontPicture>,
    pictures: &'a mut dyn PictureSource,
) -> SiteParts<'a> {
    SiteParts {
        set,
        look: handout_look(),
        rigs: &bindpose_rigs::builtin,
        pictures,
        url: options.url.clone(),
        front,
        program,
        fetched,
        preloaded: &PRELOADED_FILES,
    }
}

/// Lists the files that pages fetch, by path below `assets/`. Includes only those mathematics
/// faces that the formulas use, and the parts of the program that `program_folder` contains.
fn fetched_files(
    set: &LessonSet,
    program_folder: &Path,
    course: Option<Vec<u8>>,
) -> Vec<(String, Vec<u8>)> {
    let site_formulas = FormulaTable::of_lessons(set);
    let mut needed_faces = site_formulas.faces();
    // A course contains its own formulas, so the file holds those of the built-in lessons.
    let file_formulas = match course {
        Some(_) => FormulaTable::of_lessons(&LessonSet::embedded()),
        None => site_formulas,
    };
    needed_faces.extend(file_formulas.faces());
    let mut files = Vec::new();
    let fetched = theme::face_files().filter(|file| file.is_fetched);
    for file in fetched.chain([&LICENCES, &WHALE_FILE]) {
        let face = theme::mathematics().find(|(_, path)| *path == file.path);
        let is_unused = face.is_some_and(|(face, _)| !needed_faces.contains(face));
        if !is_unused && let Some(bytes) = file.if_loaded() {
            files.push((file.path.to_owned(), bytes.to_vec()));
        }
    }
    files.push((FORMULAS_FILE.to_owned(), file_formulas.text().into_bytes()));
    for name in PROGRAM_PARTS {
        if let Ok(bytes) = std::fs::read(program_folder.join(name)) {
            files.push((name.to_owned(), bytes));
        }
    }
    files.extend(course.map(|bytes| (SITE_COURSE.to_owned(), bytes)));
    files
}

fn read_program(folder: &Path) -> Result<SiteProgram, SiteError> {
    Ok(SiteProgram {
        wasm: read_program_file(folder, "bindpose_bg.wasm")?,
        glue: String::from_utf8_lossy(&read_program_file(folder, "bindpose.js")?).into_owned(),
    })
}

fn read_program_file(folder: &Path, name: &str) -> Result<Vec<u8>, SiteError> {
    let file = folder.join(name);
    std::fs::read(&file).map_err(|why| SiteError::Program { file, why })
}

/// The reason why a site was not made.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The lessons are missing or invalid.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// A file of the program could not be read.
    #[error("{file}: {why}; `cargo xtask web` writes it")]
    Program {
        /// Path of the file.
        file: PathBuf,
        /// Error of the system.
        why: std::io::Error,
    },
    /// Headless GL is unavailable.
    #[error("{0}; without pictures it can be made: --without-pictures")]
    Render(#[from] RenderError),
    /// The picture of the first page could not be drawn.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// A picture could not be drawn. Holds a message.
    #[error("{0}")]
    Picture(String),
}

/// Draws pictures on request.
struct SitePictureSource {
    stills: Box<dyn PictureRenderer>,
    /// The first error, after which no further pictures are drawn.
    error: Option<String>,
}

impl SitePictureSource {
    fn new(gl: &Arc<glow::Context>, set: &LessonSet) -> Result<Self, SiteError> {
        let stills = make_stills(gl, set.clone(), None).map_err(SiteError::Picture)?;
        Ok(Self { stills, error: None })
    }
}

impl PictureSource for SitePictureSource {
    fn picture(&mut self, request: &PictureRequest) -> Option<HandoutPicture> {
        if self.error.is_some() {
            return None;
        }
        match self.stills.draw(request) {
            Ok(picture) => Some(picture),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

/// Size in which the page of the front picture is drawn.
const FRONT_SIZE_PX: [u32; 2] = [1280, 800];

/// The whale on the cover in that size: left, top, width and height.
const WHALE_RECT_PX: [u32; 4] = [480, 64, 800, 572];

const WHALE_ALT_TEXT: &str = "A killer whale, black and white, seen from its front left.";

/// Draws the whale of the cover, or the first page of a course, in both themes.
fn draw_front_picture(course: Option<&Path>, set: &LessonSet) -> Result<FrontPicture, SiteError> {
    let first_own = (0..set.lessons.len())
        .find(|&index| !set.is_built_in(index))
        .and_then(|index| set.lessons.get(index));
    let lesson = first_own.map_or(COVER, |lesson| lesson.slug.as_str());
    let rect_px = match first_own {
        Some(_) => [0, 0, FRONT_SIZE_PX[0], FRONT_SIZE_PX[1]],
        None => WHALE_RECT_PX,
    };
    let words = match first_own {
        Some(lesson) => format!("The first step of “{}” in the notebook.", lesson.title),
        None => WHALE_ALT_TEXT.to_owned(),
    };
    Ok(FrontPicture {
        light: front_page_png(course, lesson, rect_px, false)?,
        dark: front_page_png(course, lesson, rect_px, true)?,
        size: [rect_px[2], rect_px[3]],
        words,
    })
}

fn front_page_png(
    course: Option<&Path>,
    lesson: &str,
    rect_px: [u32; 4],
    is_dark: bool,
) -> Result<Vec<u8>, SiteError> {
    let png = shot(&ShotOptions {
        lessons: course.map(Path::to_owned).into_iter().collect(),
        lesson: lesson.to_owned(),
        step: None,
        model: None,
        set: Vec::new(),
        size: FRONT_SIZE_PX,
        dark: is_dark,
        scale: 1.0,
        present: false,
        bench: false,
        touch: false,
    })?;
    let page =
        image::load_from_memory(&png).map_err(|error| SiteError::Picture(error.to_string()))?;
    let [left, top, width, height] = rect_px;
    small_png(&page.crop_imm(left, top, width, height).into_rgba8())
        .map_err(|error| SiteError::Picture(error.to_string()))
}
