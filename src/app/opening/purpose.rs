//! What a file is asked for: where a model is to stand, and what the dialogs say.

#[cfg(not(target_arch = "wasm32"))]
use bindpose_lesson::COURSE_ENDING;

#[cfg(not(target_arch = "wasm32"))]
use super::input_file::{MODELS, NUMBERS, WEIGHTS};

/// What a file is for. Whatever is given instead is opened as what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum FilePurpose {
    /// A model for the page, or anything else that can be opened.
    #[default]
    Page,
    /// A model to stand beside that of the page, to be compared with it.
    ModelB,
    /// Numbers of an engine, to be held against the page.
    Numbers,
}

impl FilePurpose {
    /// Over a dialog.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Page => "Open a model, weights or a course",
            Self::ModelB => "Open model B",
            Self::Numbers => "Open numbers of an engine",
        }
    }

    /// Over a page that a file is held over, and below that what it may be.
    pub(super) fn drop_words(self) -> (&'static str, &'static str) {
        let of_model = "A .glb or an .ezm, or a .gltf with its buffers and textures.";
        match self {
            Self::Page => ("Drop a model here", of_model),
            Self::ModelB => ("Drop model B here", of_model),
            Self::Numbers => (
                "Drop numbers of an engine here",
                "A .json, .csv, .txt or .npy with a palette or positions; a model opens too.",
            ),
        }
    }

    /// Kinds of files that a dialog shows, by their endings, the usual ones first.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn filters(self) -> Vec<(&'static str, Vec<&'static str>)> {
        let models = || ("Models", MODELS.to_vec());
        let numbers = || ("Numbers of an engine", NUMBERS.to_vec());
        let mut filters = match self {
            Self::Page => {
                let all = [&MODELS[..], &WEIGHTS, &[COURSE_ENDING]].concat();
                vec![("Models, weights and courses", all), numbers()]
            }
            Self::ModelB => vec![models()],
            Self::Numbers => vec![numbers()],
        };
        filters.push(("All files", vec!["*"]));
        filters
    }
}
