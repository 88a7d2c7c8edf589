//! Check that pictures are framed closely: what a step can show fills them, and the model is
//! large in them as the step opens.

use std::collections::BTreeMap;
use std::fmt;

use bindpose_diagnostic::{Diagnostic, Place, Severity};
use bindpose_notebook::viewport::PictureFill;
use eframe::egui::Vec2;
use serde::Serialize;

/// Minimum fraction of a picture's width or height that the reach of its step fills.
const MIN_REACH_FILL: f32 = 0.85;
/// Minimum fraction of a picture's width or height that the model fills as the step opens.
const MIN_FIGURE_FILL: f32 = 0.45;
/// Maximum number of steps in a course whose pictures are framed less closely on some screen.
const MAX_LOOSE_STEPS: usize = 64;

/// How closely the pictures of all steps are framed on one screen.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FramingCount {
    pub(super) screen: &'static str,
    /// Number of steps with pictures.
    pub(super) steps: usize,
    /// Number of steps whose reach fills their pictures.
    pub(super) filled: usize,
    /// Number of steps whose model is large as they open.
    pub(super) large: usize,
    /// Percentages of their picture that the models of all steps have at least: of a tenth, a
    /// quarter, a half and three quarters of the steps, the smallest first.
    pub(super) figure_percents: [f32; 4],
    #[serde(skip)]
    figures: Vec<f32>,
}

impl FramingCount {
    pub(super) fn new(screen: &'static str) -> Self {
        Self {
            screen,
            steps: 0,
            filled: 0,
            large: 0,
            figure_percents: [0.0; 4],
            figures: Vec::new(),
        }
    }

    fn add(&mut self, picture: &PictureFill) {
        let figure = picture.figure.max_element();
        self.steps += 1;
        self.filled += usize::from(picture.reach.max_element() >= MIN_REACH_FILL);
        self.large += usize::from(figure >= MIN_FIGURE_FILL);
        self.figures.push(figure);
        self.figures.sort_by(f32::total_cmp);
        for (percent, share) in self.figure_percents.iter_mut().zip([0.1, 0.25, 0.5, 0.75]) {
            let index = (share * (self.figures.len() - 1) as f32).round() as usize;
            *percent = (100.0 * self.figures[index]).round();
        }
    }
}

impl fmt::Display for FramingCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            screen,
            steps,
            filled,
            large,
            figure_percents: [tenth, quarter, half, most],
            ..
        } = self;
        write!(
            f,
            "{screen}: pictures are filled on {filled} of {steps} steps, models large on {large}; \
             {tenth}%, {quarter}%, {half}%, {most}% of the picture at the 10th, 25th, 50th and \
             75th percentile"
        )
    }
}

/// Steps whose pictures are framed less closely than they should be, by number of lesson and
/// step.
#[derive(Debug, Default)]
pub(super) struct LooseSteps(BTreeMap<(usize, usize), Diagnostic>);

impl LooseSteps {
    /// Adds the pictures of a step to the counts of a screen. `key` identifies the step.
    pub(super) fn add(
        &mut self,
        key: (usize, usize),
        place: &Place,
        on_screen: &str,
        pictures: &[(Vec2, PictureFill)],
        count: &mut FramingCount,
    ) {
        let worst = pictures.iter().min_by(|(_, a), (_, b)| closeness(a).total_cmp(&closeness(b)));
        let Some((size, fill)) = worst else {
            return;
        };
        count.add(fill);
        if closeness(fill) >= 1.0 {
            return;
        }
        let [reach, figure] = [fill.reach, fill.figure].map(|part| 100.0 * part.max_element());
        let reason = if fill.reach.max_element() < MIN_REACH_FILL {
            if fill.is_close_up {
                "its cell sets target and height; without them, the picture fits the step"
            } else {
                "a legend takes the room"
            }
        } else {
            "it can reach that far"
        };
        let title = format!(
            "{on_screen}: all that the step can show fills {reach:.0}% of a picture of {:.0} × \
             {:.0} points, and the model {figure:.0}% as it opens: {reason}",
            size.x, size.y
        );
        let help = format!(
            "{:.0}% and {:.0}% are enough: narrow the ranges, or show less at once",
            100.0 * MIN_REACH_FILL,
            100.0 * MIN_FIGURE_FILL
        );
        let note = Diagnostic::said("LOOSE_PICTURE", title).help(help).at(place.clone());
        self.0.entry(key).or_insert(Diagnostic { severity: Severity::Note, ..note });
    }

    /// Returns a note for each step, and an error if there are too many.
    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        let count = self.0.len();
        let mut findings: Vec<Diagnostic> = self.0.into_values().collect();
        if count > MAX_LOOSE_STEPS {
            let title = format!(
                "pictures are framed loosely on {count} steps, and may be on {MAX_LOOSE_STEPS}"
            );
            findings.push(
                Diagnostic::said("LOOSE_PICTURES", title).help("notes say on which steps, and why"),
            );
        }
        findings
    }
}

/// Returns how closely a picture is framed: 1 if that suffices.
fn closeness(fill: &PictureFill) -> f32 {
    let reach = fill.reach.max_element() / MIN_REACH_FILL;
    let figure = fill.figure.max_element() / MIN_FIGURE_FILL;
    reach.min(figure).min(1.0)
}
