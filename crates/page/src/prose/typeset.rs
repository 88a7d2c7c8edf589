//! Running text on its baselines.
//!
//! egui lays a `LayoutJob` out into rows, but centres each font in its own line
//! height, so that code and mathematics would dance beside the words. Here the
//! rows are set once more: every glyph on one baseline per row, rows as high as
//! the line height says and higher only where a formula needs it. The result
//! knows where each live piece came to lie.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use eframe::egui::{
    self, Color32, FontFamily, FontId, Galley, Rect, TextFormat, Ui,
    cache::{ComputerMut, FrameCache},
    pos2,
    text::LayoutJob,
};

use crate::math::{Formula, INLINE_SCALE};
use crate::theme::{BODY, LINE, SMALL, Theme, family};

/// Text is no wider than this, in points: about 70 characters.
pub const MEASURE: f32 = 34.0 * BODY;

/// How a piece of running text looks where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Points.
    pub size: f32,
    /// From baseline to baseline, in points.
    pub line: f32,
    /// The colour of plain words.
    pub color: Color32,
    /// Semi-bold throughout.
    pub strong: bool,
}

impl Face {
    /// Prose.
    pub fn body(theme: &Theme) -> Self {
        Self { size: BODY, line: BODY * LINE, color: theme.ink, strong: false }
    }

    /// From the top of an ordinary row to its baseline. Inter's ascender and
    /// descender, centred in the line, put it here.
    pub fn ascent(&self) -> f32 {
        self.line / 2.0 + 0.364 * self.size
    }
}

/// A piece of a paragraph that is more than words.
#[derive(Clone, Debug)]
pub(super) enum ParagraphPiece {
    /// Has a panel behind it.
    Code,
    /// Has a line through it.
    Struck,
    /// Painted over a gap, at this size.
    Math { formula: Arc<Formula>, em: f32, color: Color32 },
    /// A gap for the mark of a `set:` link.
    Mark(usize),
    /// A link, by its number in the paragraph.
    Link(usize),
}

/// Text on its way to a galley.
pub(super) struct TextRun {
    pub(super) face: Face,
    job: LayoutJob,
    chars: usize,
    pieces: Vec<(Range<usize>, ParagraphPiece)>,
    /// Lead of the next words: room that code asks for behind itself.
    lead: f32,
}

/// Where a piece lies in one row, relative to the text's corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSpot {
    /// As high as the row.
    pub(super) rect: Rect,
    pub(super) baseline: f32,
}

/// Text that is laid out.
pub(super) struct Typeset {
    pub(super) galley: Arc<Galley>,
    /// Each piece with its rows.
    pub(super) pieces: Vec<(ParagraphPiece, Vec<PieceSpot>)>,
    /// Kept so that its address stays taken while this is in the cache.
    _source: Arc<Galley>,
}

/// Takes no room and is no place to break a line.
const JOINER: &str = "\u{2060}";
/// Room between a word of code and the edge of its panel.
const CODE_PAD: f32 = 3.0;
/// Room for the mark of a `set:` link, in em.
pub(super) const MARK_WIDTH: f32 = 0.86;

impl TextRun {
    pub(super) fn new(face: Face) -> Self {
        Self { face, job: LayoutJob::default(), chars: 0, pieces: Vec::new(), lead: 0.0 }
    }

    pub(super) fn words(&mut self, text: &str, strong: bool, italic: bool, color: Color32) {
        let family = match (strong || self.face.strong, italic) {
            (false, false) => FontFamily::Proportional,
            (true, false) => family::strong(),
            (false, true) => family::italic(),
            (true, true) => family::strong_italic(),
        };
        let lead = std::mem::take(&mut self.lead);
        self.push(text, lead, FontId::new(self.face.size, family), color);
    }

    pub(super) fn code(&mut self, text: &str, color: Color32) {
        let lead = std::mem::take(&mut self.lead) + CODE_PAD;
        let font = FontId::monospace(self.face.size * (SMALL / BODY));
        let start = self.chars;
        self.push(text, lead, font, color);
        self.pieces.push((start..self.chars, ParagraphPiece::Code));
        self.lead = CODE_PAD;
    }

    pub(super) fn struck(&mut self, text: &str, color: Color32) {
        let start = self.chars;
        self.words(text, false, false, color);
        self.pieces.push((start..self.chars, ParagraphPiece::Struck));
    }

    pub(super) fn math(&mut self, formula: Arc<Formula>, color: Color32, room: f32) {
        let em = self.face.size * INLINE_SCALE;
        let em = em * (room / (formula.width * em).max(1.0)).clamp(0.5, 1.0);
        let chars = self.gap(formula.width * em);
        let math = ParagraphPiece::Math { formula, em, color };
        self.pieces.push((chars, math));
    }

    pub(super) fn line_break(&mut self) {
        self.words("\n", false, false, self.face.color);
    }

    /// A link made of what `words` pushes, with room for a mark before it.
    pub(super) fn link(&mut self, number: usize, mark: bool, words: impl FnOnce(&mut Self)) {
        let start = self.chars;
        if mark {
            let chars = self.gap(self.face.size * MARK_WIDTH);
            self.pieces.push((chars, ParagraphPiece::Mark(number)));
        }
        words(self);
        self.pieces.push((start..self.chars, ParagraphPiece::Link(number)));
    }

    /// Two joiners with room between them: unlike the lead of a section, the
    /// room stays when a line begins here.
    fn gap(&mut self, width: f32) -> Range<usize> {
        let start = self.chars;
        let font = FontId::proportional(self.face.size);
        let lead = std::mem::take(&mut self.lead);
        self.push(JOINER, lead, font.clone(), self.face.color);
        self.push(JOINER, width, font, self.face.color);
        start..self.chars
    }

    fn push(&mut self, text: &str, lead: f32, font_id: FontId, color: Color32) {
        self.chars += text.chars().count();
        let format = TextFormat {
            font_id,
            color,
            line_height: Some(self.face.line),
            ..TextFormat::default()
        };
        self.job.append(text, lead, format);
    }

    /// As [`Self::set`], each row in the middle of the text.
    pub(super) fn set_centred(mut self, ui: &Ui, width: f32) -> Arc<Typeset> {
        self.job.halign = egui::Align::Center;
        self.set(ui, width)
    }

    /// Lays the text out in rows of `width` points at most.
    pub(super) fn set(mut self, ui: &Ui, width: f32) -> Arc<Typeset> {
        self.job.wrap.max_width = width.max(8.0);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(self.job));
        let key = TypesetKey { galley: &galley, pieces: &self.pieces, face: self.face };
        ui.memory_mut(|memory| {
            memory.caches.cache::<FrameCache<Arc<Typeset>, Setter>>().get(key).clone()
        })
    }
}

#[derive(Default)]
struct Setter;

#[derive(Clone, Copy)]
struct TypesetKey<'a> {
    galley: &'a Arc<Galley>,
    pieces: &'a [(Range<usize>, ParagraphPiece)],
    face: Face,
}

/// egui hands out the same galley for the same text until it has to draw its
/// glyphs anew, so its address says all about the words; `Typeset` keeps the
/// galley and the formulas, so that no address is used twice.
impl Hash for TypesetKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(self.galley).hash(state);
        self.face.line.to_bits().hash(state);
        self.face.size.to_bits().hash(state);
        for (chars, piece) in self.pieces {
            chars.hash(state);
            match piece {
                ParagraphPiece::Code => 0.hash(state),
                ParagraphPiece::Struck => 3.hash(state),
                ParagraphPiece::Math { formula, em, color } => {
                    Arc::as_ptr(formula).hash(state);
                    em.to_bits().hash(state);
                    color.hash(state);
                }
                ParagraphPiece::Mark(number) => (1, number).hash(state),
                ParagraphPiece::Link(number) => (2, number).hash(state),
            }
        }
    }
}

impl ComputerMut<TypesetKey<'_>, Arc<Typeset>> for Setter {
    fn compute(&mut self, key: TypesetKey<'_>) -> Arc<Typeset> {
        let mut galley = Galley::clone(key.galley);
        let baselines = set_rows(&mut galley, &key);
        let pieces = key
            .pieces
            .iter()
            .map(|(chars, piece)| (piece.clone(), spots(&galley, &baselines, chars)))
            .collect();
        Arc::new(Typeset { galley: Arc::new(galley), pieces, _source: key.galley.clone() })
    }
}

/// Puts every row on one baseline and the rows below each other; gives the
/// baselines, from the top of the text.
fn set_rows(galley: &mut Galley, key: &TypesetKey<'_>) -> Vec<f32> {
    let ppp = galley.pixels_per_point;
    let snap = |points: f32| (points * ppp).round() / ppp;
    let mut baselines = Vec::with_capacity(galley.rows.len());
    let (mut top, mut first_char) = (0.0, 0);
    galley.mesh_bounds = Rect::NOTHING;
    for placed in &mut galley.rows {
        let chars = first_char..first_char + placed.char_count_including_newline().0;
        first_char = chars.end;
        let (mut up, mut down) = (key.face.ascent(), key.face.line - key.face.ascent());
        for (at, piece) in key.pieces {
            if let ParagraphPiece::Math { formula, em, .. } = piece
                && chars.contains(&at.start)
            {
                up = up.max(formula.height * em + 2.0);
                down = down.max(formula.depth * em + 2.0);
            }
        }
        let (up, height) = (snap(up), snap(up + down));
        let row = Arc::make_mut(&mut placed.row);
        for glyph in &mut row.glyphs {
            let shift = up - glyph.pos.y;
            glyph.pos.y = up;
            if !glyph.uv_rect.is_nothing() {
                let first = glyph.first_vertex as usize;
                let vertices = row.visuals.mesh.vertices.iter_mut().skip(first);
                vertices.take(4).for_each(|vertex| vertex.pos.y += shift);
            }
        }
        row.visuals.mesh_bounds = row.visuals.mesh.calc_bounds();
        row.size.y = height;
        placed.pos.y = top;
        galley.mesh_bounds |= placed.row.visuals.mesh_bounds.translate(placed.pos.to_vec2());
        baselines.push(top + up);
        top += height;
    }
    galley.rect.max.y = top;
    baselines
}

/// The rows over which these characters run.
fn spots(galley: &Galley, baselines: &[f32], chars: &Range<usize>) -> Vec<PieceSpot> {
    let mut spots = Vec::new();
    let mut start = 0;
    for (placed, &baseline) in galley.rows.iter().zip(baselines) {
        let end = start + placed.glyphs.len();
        let inside = chars.start.max(start)..chars.end.min(end);
        if let Some(glyphs) =
            placed.glyphs.get(inside.start - start..inside.end.saturating_sub(start))
        {
            let ink = |glyph: &&egui::epaint::text::Glyph| !glyph.chr.is_whitespace();
            let (first, last) = (glyphs.iter().find(ink), glyphs.iter().rfind(ink));
            if let (Some(first), Some(last)) = (first, last) {
                let x = placed.pos.x;
                let rect = Rect::from_min_max(
                    pos2(x + first.pos.x, placed.min_y()),
                    pos2(x + last.max_x(), placed.max_y()),
                );
                spots.push(PieceSpot { rect, baseline });
            }
        }
        start += placed.char_count_including_newline().0;
    }
    spots
}

impl Typeset {
    /// The widest thing that can't be broken: what a column needs at least.
    pub(super) fn narrowest(&self) -> f32 {
        let mut widest: f32 = 0.0;
        for row in &self.galley.rows {
            // A row begins with its lead, and a word needs its space: egui
            // would break before a space that does not fit.
            let mut start = Some(0.0);
            for glyph in &row.glyphs {
                widest = widest.max(glyph.max_x() - *start.get_or_insert(glyph.pos.x));
                if glyph.chr.is_whitespace() {
                    start = None;
                }
            }
        }
        widest
    }

    /// Over all rows.
    pub(super) fn width(&self) -> f32 {
        self.galley.rect.width()
    }

    pub(super) fn height(&self) -> f32 {
        self.galley.rect.height()
    }
}
