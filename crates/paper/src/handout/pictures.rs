//! Pictures of cells. This crate only requests them, since drawing one needs the renderer.

use std::collections::BTreeMap;

/// A request for a picture of a part of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PictureRequest {
    /// Slug of the lesson.
    pub lesson: String,
    /// The part of the lesson to draw.
    pub part: PictureSubject,
    /// Width in points.
    pub width: u32,
    /// Height in points. `None` for the natural height of the cell.
    pub height: Option<u32>,
}

/// A part of a lesson that has a picture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PictureSubject {
    /// A cell, in the state in which its step opens.
    Cell {
        /// Slug of the step.
        step: String,
        /// Id of the cell.
        cell: String,
    },
    /// The evidence for one line of a summary of what was learnt.
    Learnt {
        /// Slug of the step that contains the cell.
        step: String,
        /// Id of the cell.
        cell: String,
        /// Index of the line.
        line: usize,
    },
    /// The figure of an inventory question, or an answer that is a picture.
    Question {
        /// Id of the question.
        question: String,
        /// Index of the answer among the question's options. `None` for the figure.
        option: Option<usize>,
    },
}

/// A drawn picture.
#[derive(Clone, Debug, PartialEq)]
pub struct HandoutPicture {
    /// Content of a PNG file.
    pub png: Vec<u8>,
    /// Width and height in points.
    pub size: [f32; 2],
    /// Text alternative for screen readers.
    pub words: String,
}

/// A source of pictures.
pub trait PictureSource {
    /// Returns `None` if there is no such picture. The page is then written without it.
    fn picture(&mut self, wanted: &PictureRequest) -> Option<HandoutPicture>;
}

/// A renderer of pictures.
pub trait PictureRenderer {
    /// Draws one picture.
    ///
    /// # Errors
    ///
    /// Returns the reason as text if the picture cannot be drawn.
    fn draw(&mut self, wanted: &PictureRequest) -> Result<HandoutPicture, String>;
}

/// A source without pictures that records the requests.
#[derive(Clone, Debug, Default)]
pub struct PictureRequests(pub Vec<PictureRequest>);

impl PictureSource for PictureRequests {
    fn picture(&mut self, wanted: &PictureRequest) -> Option<HandoutPicture> {
        self.0.push(wanted.clone());
        None
    }
}

/// A source without pictures.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPictures;

impl PictureSource for NoPictures {
    fn picture(&mut self, _: &PictureRequest) -> Option<HandoutPicture> {
        None
    }
}

/// Pictures that were drawn in advance.
impl PictureSource for BTreeMap<PictureRequest, HandoutPicture> {
    fn picture(&mut self, wanted: &PictureRequest) -> Option<HandoutPicture> {
        self.get(wanted).cloned()
    }
}
