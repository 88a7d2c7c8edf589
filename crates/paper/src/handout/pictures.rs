//! Pictures, which somebody else draws.

use std::collections::BTreeMap;

/// One picture of something of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedPicture {
    /// Slug of the lesson.
    pub lesson: String,
    /// Of what.
    pub part: PicturedPart,
    /// In points.
    pub width: u32,
    /// In points; absent: as high as the cell is.
    pub height: Option<u32>,
}

/// What of a lesson is pictured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PicturedPart {
    /// A cell at a step as that opens.
    Cell {
        /// Slug of the step.
        step: String,
        /// Id of the cell.
        cell: String,
    },
    /// The figure of a question of the inventory, or an answer that is a picture.
    Question {
        /// Id of the question.
        question: String,
        /// Index of the answer among its options; `None`: the figure.
        option: Option<usize>,
    },
}

/// A picture that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct HandoutPicture {
    /// A PNG file.
    pub png: Vec<u8>,
    /// In points.
    pub size: [f32; 2],
    /// What it shows, for those who do not see it.
    pub words: String,
}

/// Where pictures come from.
pub trait Pictures {
    /// The picture; `None`: there is none, and the page goes without.
    fn picture(&mut self, wanted: &WantedPicture) -> Option<HandoutPicture>;
}

/// Draws pictures, one by one.
pub trait DrawPictures {
    /// One picture.
    ///
    /// Errors: why there is none, in words.
    fn draw(&mut self, wanted: &WantedPicture) -> Result<HandoutPicture, String>;
}

/// Gives none, and notes which are wanted.
#[derive(Clone, Debug, Default)]
pub struct WantedPictures(pub Vec<WantedPicture>);

impl Pictures for WantedPictures {
    fn picture(&mut self, wanted: &WantedPicture) -> Option<HandoutPicture> {
        self.0.push(wanted.clone());
        None
    }
}

/// Gives none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPictures;

impl Pictures for NoPictures {
    fn picture(&mut self, _: &WantedPicture) -> Option<HandoutPicture> {
        None
    }
}

/// Those that were drawn before.
impl Pictures for BTreeMap<WantedPicture, HandoutPicture> {
    fn picture(&mut self, wanted: &WantedPicture) -> Option<HandoutPicture> {
        self.get(wanted).cloned()
    }
}
