//! The pictures of a site.

use std::path::Path;
use std::sync::Arc;

use bindpose_lesson::LessonSet;
use bindpose_notebook::export::small_png;
use bindpose_paper::handout::{DrawPictures, Picture, Pictures, Wanted};
use bindpose_paper::site::FrontPicture;
use eframe::glow;

use super::error::SiteError;
use crate::app::handout::make_stills;
use crate::app::shot::{ShotOptions, shot};

/// Of the picture on the page of the contents, in pixels.
const FRONT: [u32; 2] = [1280, 800];

/// Draws each picture when it is asked for.
pub(super) struct Drawn {
    stills: Box<dyn DrawPictures>,
    /// The first that went wrong.
    wrong: Option<String>,
}

impl Drawn {
    pub(super) fn new(gl: &Arc<glow::Context>, set: &LessonSet) -> Result<Self, SiteError> {
        let stills = make_stills(gl, set.clone(), None).map_err(SiteError::Picture)?;
        Ok(Self { stills, wrong: None })
    }

    /// Were all drawn?
    pub(super) fn done(self) -> Result<(), SiteError> {
        self.wrong.map_or(Ok(()), |why| Err(SiteError::Picture(why)))
    }
}

impl Pictures for Drawn {
    fn picture(&mut self, wanted: &Wanted) -> Option<Picture> {
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

const WHALE_WORDS: &str = "A step of the notebook: prose with numbers to drag, beside it a whale \
                           with the four places to which four joints would take one vertex, and \
                           its weights as sliders.";

/// A page of the notebook as it opens.
pub(super) fn front_picture(
    course: Option<&Path>,
    set: &LessonSet,
) -> Result<FrontPicture, SiteError> {
    let first = (0..set.lessons.len()).find(|&lesson| !set.is_built_in(lesson));
    let first = first.and_then(|lesson| set.lessons.get(lesson));
    let (lesson, step, words) = match first {
        None => ("whale", Some("one-vertex-four-joints"), WHALE_WORDS.to_owned()),
        Some(first) => {
            let words = format!("The first step of “{}” in the notebook.", first.title);
            (first.slug.as_str(), None, words)
        }
    };
    let themed = |dark: bool| {
        let options = ShotOptions {
            lessons: course.map(Path::to_owned).into_iter().collect(),
            lesson: lesson.to_owned(),
            step: step.map(str::to_owned),
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
        small_png(&page.into_rgba8()).map_err(|why| SiteError::Picture(why.to_string()))
    };
    Ok(FrontPicture { light: themed(false)?, dark: themed(true)?, size: FRONT, words })
}
