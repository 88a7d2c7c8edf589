//! Sites: the notebook's pages for browsers, from what wasm-bindgen wrote.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_asset as asset;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{FormulaTable, LessonSet, SITE_COURSE};
use bindpose_notebook::export::small_png;
use bindpose_page::theme;
use bindpose_paper::handout::{
    HandoutPicture, NoPictures, PictureRenderer, PictureRequest, PictureSource,
};
use bindpose_paper::site::{
    CLASS_PART_FILE_NAME, FrontPicture, SiteFile, SiteParts, SiteProgram, folder, one_file,
};
use bindpose_render::RenderError;
use bindpose_render::headless::HeadlessGl;
use bindpose_shipped as shipped;
use eframe::glow;

use crate::app::handout::look::look;
use crate::app::handout::make_stills;
use crate::app::packed_courses::pack_course;
use crate::app::shot::{COVER, ShotError, ShotOptions, shot};

/// Parts of the program that pages fetch, in its folder and in the list of what is fetched.
const PROGRAM_PARTS: [&str; 3] =
    ["bindpose-pages.wasm", "bindpose-later.wasm", CLASS_PART_FILE_NAME];

/// What a site is made of.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The folder with `bindpose_bg.wasm` and `bindpose.js`, and the other parts of the
    /// program (`bindpose-….wasm`) where it has any.
    pub program: PathBuf,
    /// With pictures in the texts?
    pub pictures: bool,
    /// The folder of a course; absent: the built-in lessons.
    pub course: Option<PathBuf>,
    /// Where the site will be; see [`SiteParts::url`].
    pub url: Option<String>,
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
        if before.any(|other| other.site_folder() == lesson.site_folder()) {
            let title = format!("two lessons have the folder `{}`", lesson.site_folder());
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
    let program = program(&options.program)?;
    let fetched = fetched(&set, &options.program, course);
    if !options.pictures {
        return Ok(folder(parts(options, &set, program, fetched, None, &mut NoPictures)));
    }
    // With a context of its own, so before that of the others is current.
    let front = front_picture(options.course.as_deref(), &set)?;
    let gl = HeadlessGl::new()?;
    let mut drawn = SitePictures::new(&gl.gl(), &set)?;
    let files = folder(parts(options, &set, program, fetched, Some(front), &mut drawn));
    drawn.done()?;
    Ok(files)
}

/// The site as one file.
///
/// Errors: [`SiteError`].
pub fn site_in_one_file(options: &SiteOptions) -> Result<String, SiteError> {
    let (set, course) = lessons(options)?;
    let program = program(&options.program)?;
    let fetched = fetched(&set, &options.program, course);
    Ok(one_file(parts(options, &set, program, fetched, None, &mut NoPictures)))
}

fn parts<'a>(
    options: &SiteOptions,
    set: &'a LessonSet,
    program: SiteProgram,
    fetched: Vec<(String, Vec<u8>)>,
    front: Option<FrontPicture>,
    pictures: &'a mut dyn PictureSource,
) -> SiteParts<'a> {
    SiteParts {
        set,
        look: look(),
        rigs: &|id| asset::builtin(id),
        pictures,
        url: options.url.clone(),
        front,
        program,
        fetched,
    }
}

/// What the program does not carry itself: path below `assets/`, and bytes. Of the
/// mathematics faces those that the formulas are set in; of the program in `folder`
/// the parts that it has.
fn fetched(set: &LessonSet, folder: &Path, course: Option<Vec<u8>>) -> Vec<(String, Vec<u8>)> {
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
    let formulas = (shipped::FORMULAS_FILE.to_owned(), formulas.text().into_bytes());
    let parts = PROGRAM_PARTS.into_iter().filter_map(|name| {
        let bytes = std::fs::read(folder.join(name)).ok()?;
        Some((name.to_owned(), bytes))
    });
    let course = course.map(|bytes| (SITE_COURSE.to_owned(), bytes));
    shipped.chain([formulas]).chain(parts).chain(course).collect()
}

fn program(folder: &Path) -> Result<SiteProgram, SiteError> {
    let read = |name: &str| {
        let file = folder.join(name);
        std::fs::read(&file).map_err(|why| SiteError::Program { file, why })
    };
    Ok(SiteProgram {
        wasm: read("bindpose_bg.wasm")?,
        glue: String::from_utf8_lossy(&read("bindpose.js")?).into_owned(),
    })
}

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// There are no lessons.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// A file of the program could not be read.
    #[error("{file}: {why}; `cargo xtask web` writes it")]
    Program {
        /// Which.
        file: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// No headless GL.
    #[error("{0}; without pictures it can be made: --without-pictures")]
    Render(#[from] RenderError),
    /// A picture of the page was not drawn.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// A picture was not drawn, in words.
    #[error("{0}")]
    Picture(String),
}

/// Of the picture on the page of the contents, in pixels.
const FRONT: [u32; 2] = [1280, 800];

/// Draws each picture when it is asked for.
struct SitePictures {
    stills: Box<dyn PictureRenderer>,
    /// The first that went wrong.
    wrong: Option<String>,
}

impl SitePictures {
    fn new(gl: &Arc<glow::Context>, set: &LessonSet) -> Result<Self, SiteError> {
        let stills = make_stills(gl, set.clone(), None).map_err(SiteError::Picture)?;
        Ok(Self { stills, wrong: None })
    }

    /// Were all drawn?
    fn done(self) -> Result<(), SiteError> {
        self.wrong.map_or(Ok(()), |why| Err(SiteError::Picture(why)))
    }
}

impl PictureSource for SitePictures {
    fn picture(&mut self, wanted: &PictureRequest) -> Option<HandoutPicture> {
        if self.wrong.is_some() {
            return None;
        }
        match self.stills.draw(wanted) {
            Ok(picture) => Some(picture),
            Err(why) => {
                self.wrong = Some(why);
                None
            }
        }
    }
}

/// Of the cover at that size, the whale: left, top, width, height.
const WHALE: [u32; 4] = [480, 64, 800, 572];
const WHALE_WORDS: &str = "A killer whale, black and white, seen from its front left.";

/// The whale of the cover, or the first page of a course as it opens.
fn front_picture(course: Option<&Path>, set: &LessonSet) -> Result<FrontPicture, SiteError> {
    let first = (0..set.lessons.len()).find(|&lesson| !set.is_built_in(lesson));
    let first = first.and_then(|lesson| set.lessons.get(lesson));
    let (lesson, words, part) = match first {
        None => (COVER, WHALE_WORDS.to_owned(), WHALE),
        Some(first) => {
            let words = format!("The first step of “{}” in the notebook.", first.title);
            (first.slug.as_str(), words, [0, 0, FRONT[0], FRONT[1]])
        }
    };
    let [left, top, width, height] = part;
    let themed = |dark: bool| {
        let options = ShotOptions {
            lessons: course.map(Path::to_owned).into_iter().collect(),
            lesson: lesson.to_owned(),
            step: None,
            model: None,
            set: Vec::new(),
            size: FRONT,
            dark,
            scale: 1.0,
            present: false,
            bench: false,
            touch: false,
        };
        let page = image::load_from_memory(&shot(&options)?);
        let page = page.map_err(|why| SiteError::Picture(why.to_string()))?;
        small_png(&page.crop_imm(left, top, width, height).into_rgba8())
            .map_err(|why| SiteError::Picture(why.to_string()))
    };
    let size = [width, height];
    Ok(FrontPicture { light: themed(false)?, dark: themed(true)?, size, words })
}
