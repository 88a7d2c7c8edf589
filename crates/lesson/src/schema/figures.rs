//! Bodies of cells with drawings of their own.

use bindpose_skin::WeightFormat;
use serde::Deserialize;

use crate::bounded::bounded_list;
use crate::{ColumnFraction, DrawingHeight, PictureFile, RowCount, Settings, Text};

/// ```` ```stops ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StopsCell {
    /// The name of the choice, for screen readers.
    pub label: Text,
    /// The states, in order: two to nine.
    pub stops: StopList,
}

bounded_list! {
    /// Named states of the page, in order.
    StopList(Stop):
        2..=9, "two to nine stops",
        "write stops = [{ label = \"…\", set = { … } }, { label = \"…\", set = { … } }]"
}

/// A named state of the page.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// The name of the state, in a few words.
    pub label: Text,
    /// A sentence, shown while the page is in this state.
    #[serde(default)]
    pub note: Text,
    /// A part of a line in the listing of the step, which is lit while the page is in this
    /// state.
    #[serde(default)]
    pub line: String,
    /// Settings of the state.
    pub set: Settings,
}

/// ```` ```indices ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct IndicesCell {
    /// The number of the vertex; absent: the chosen one.
    pub vertex: Option<u32>,
    /// Also where the numbers lead if they are taken for nodes.
    pub misread: bool,
}

/// ```` ```histogram ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct HistogramCell {
    /// How high the bars are, in points; absent: the cell’s own choice.
    pub height: Option<DrawingHeight>,
}

/// ```` ```brush ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BrushCell {
    /// Whether only the controls of a first stroke are open; absent: all of them.
    pub brief: bool,
}

/// ```` ```model-difference ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelDifferenceCell {
    /// Joints shown at once; absent: 6.
    pub rows: Option<RowCount>,
}

/// ```` ```quantiser ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct QuantiserCell {
    /// The number of the vertex; absent: the chosen one.
    pub vertex: Option<u32>,
    /// The format shown first.
    pub format: WeightFormat,
}

/// ```` ```learnt ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LearntCell {
    /// Sentences that a reader can say now: one to six.
    pub lines: LearntLines,
}

bounded_list! {
    /// Sentences that a reader can say at the end of a lesson.
    LearntLines(LearntLine):
        1..=6, "one to six lines", "write lines = [{ say = \"…\", step = \"…\" }]"
}

/// A sentence, and the picture that proves it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LearntLine {
    /// In a reader’s own words; one paragraph.
    pub say: Text,
    /// The step of this lesson that teaches it, by its name in addresses; the picture is
    /// one of its viewports, as it opens.
    pub step: String,
    /// Which of them; absent: the first that the step shows.
    #[serde(default)]
    pub viewport: Option<String>,
    /// Put on top of what the step sets.
    #[serde(default)]
    pub set: Settings,
    /// The parameter that sways in the picture; a clip that the step has chosen plays.
    #[serde(default)]
    pub sways: Option<String>,
}

/// ```` ```picture ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PictureCell {
    /// A PNG or JPEG file in the lesson's folder, by its path there.
    pub file: PictureFile,
    /// A description in plain words, for those who do not see the picture.
    pub alt: String,
    /// The text below the picture; one paragraph.
    #[serde(default)]
    pub caption: Option<Text>,
    /// Width as a fraction of the column, 0.05 to 1; absent: one point a pixel, and no
    /// wider than the column.
    #[serde(default)]
    pub width: Option<ColumnFraction>,
    /// Shown in its place on dark pages; absent: the same file, on a light plate where
    /// it may be transparent.
    #[serde(default)]
    pub dark: Option<PictureFile>,
}

impl PictureCell {
    /// Returns the file for a dark or a light page.
    pub fn file_in(&self, dark: bool) -> &PictureFile {
        self.dark.as_ref().filter(|_| dark).unwrap_or(&self.file)
    }

    pub fn files(&self) -> impl Iterator<Item = &PictureFile> {
        [&self.file].into_iter().chain(&self.dark)
    }

    /// Yields each file with its key in the body.
    pub(crate) fn files_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut PictureFile)> {
        let dark = self.dark.iter_mut().map(|file| ("dark", file));
        [("file", &mut self.file)].into_iter().chain(dark)
    }
}
