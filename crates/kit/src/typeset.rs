//! Layout and painting of running text on common baselines.
//!
//! egui lays a `LayoutJob` out into rows but centers each font in its own line height,
//! which puts code and mathematics off the baseline of the text. This module lays the
//! rows out again: all glyphs of a row on one baseline, and rows as high as the line
//! height unless a formula needs more. The result has the rectangles of all interactive
//! pieces.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use eframe::egui::{
    self, Color32, FontFamily, FontId, Galley, Painter, Pos2, Rect, Response, Shape, Stroke,
    TextFormat, Ui,
    cache::{ComputerMut, FrameCache},
    pos2,
    text::LayoutJob,
    text_selection::LabelSelectionState,
    vec2,
};

use crate::math::{Formula, INLINE_SCALE};
use crate::theme::{BODY_SIZE, LINE_HEIGHT, SMALL_SIZE, Theme, family};
use crate::widgets::Emphasis;

/// Maximum width of text, in points: about 70 characters.
pub const MEASURE: f32 = 34.0 * BODY_SIZE;

/// Default appearance of running text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Type size, in points.
    pub size: f32,
    /// Distance between baselines, in points.
    pub line: f32,
    /// Color of plain text.
    pub color: Color32,
    /// Whether all text is semi-bold.
    pub strong: bool,
}

impl Face {
    pub fn body(theme: &Theme) -> Self {
        Self { size: BODY_SIZE, line: BODY_SIZE * LINE_HEIGHT, color: theme.ink, strong: false }
    }

    /// Typeface of a text in a cell. `size` is in points.
    pub fn of_text(size: f32, emphasis: Emphasis, theme: &Theme) -> Self {
        Self {
            size,
            line: (size * LINE_HEIGHT).round(),
            color: match emphasis {
                Emphasis::Quiet => theme.quiet,
                Emphasis::Strong | Emphasis::Plain => theme.ink,
            },
            strong: emphasis == Emphasis::Strong,
        }
    }

    /// Distance from the top of a row without formulas to its baseline. Inter's ascender
    /// and descender, centered in the line, result in this position.
    pub fn ascent(&self) -> f32 {
        self.line / 2.0 + 0.364 * self.size
    }
}

/// A piece of a paragraph other than plain text.
#[derive(Clone, Debug)]
pub enum ParagraphPiece {
    /// Code with a panel behind it.
    Code,
    /// Text with a line through it.
    Struck,
    /// A formula that is painted over a gap, with `em` points per em.
    Math { formula: Arc<Formula>, em: f32, color: Color32 },
    /// The gap for the mark of a `set:` link, by the link's index in the paragraph.
    Mark(usize),
    /// A link, by its index in the paragraph.
    Link(usize),
}

/// Text that is being prepared for layout.
pub struct TextRun {
    pub face: Face,
    job: LayoutJob,
    char_count: usize,
    pieces: Vec<(Range<usize>, ParagraphPiece)>,
    /// Extra space before the next text, which code adds behind itself. In points.
    lead: f32,
}

/// Rectangle of a piece within one row, relative to the corner of the text.
#[derive(Clone, Copy, Debug)]
pub struct PieceSpot {
    /// Rectangle, as high as the row.
    pub rect: Rect,
    pub baseline: f32,
}

impl PieceSpot {
    /// Moves the spot to a text whose corner is at `origin`.
    #[must_use]
    pub fn at(&self, origin: Pos2) -> Self {
        Self { rect: self.rect.translate(origin.to_vec2()), baseline: self.baseline + origin.y }
    }

    /// Rectangle around the letters, which is lower than the row.
    pub fn around_letters(&self, size: f32) -> Rect {
        Rect::from_x_y_ranges(
            self.rect.x_range(),
            self.baseline - 0.98 * size..=self.baseline + 0.32 * size,
        )
    }
}

/// Text that is laid out.
pub struct Typeset {
    pub galley: Arc<Galley>,
    /// Each piece with its rectangles, one per row.
    pub pieces: Vec<(ParagraphPiece, Vec<PieceSpot>)>,
    /// The galley that this was made from. Kept so that its address, which is the cache
    /// key, is not reused.
    _source: Arc<Galley>,
}

/// Word joiner: has no width and does not allow a line break.
const JOINER: &str = "\u{2060}";
/// Space between code and the edge of its panel, in points.
const CODE_PADDING_PTS: f32 = 3.0;
/// Space for the mark of a `set:` link, in em.
pub const MARK_WIDTH_EM: f32 = 0.86;

impl TextRun {
    pub fn new(face: Face) -> Self {
        Self { face, job: LayoutJob::default(), char_count: 0, pieces: Vec::new(), lead: 0.0 }
    }

    pub fn push_text(&mut self, text: &str, is_strong: bool, is_italic: bool, color: Color32) {
        let family = match (is_strong || self.face.strong, is_italic) {
            (false, false) => FontFamily::Proportional,
            (true, false) => family::strong(),
            (false, true) => family::italic(),
            (true, true) => family::strong_italic(),
        };
        let lead = std::mem::take(&mut self.lead);
        self.push(text, lead, FontId::new(self.face.size, family), color);
    }

    pub fn push_code(&mut self, text: &str, color: Color32) {
        let lead = std::mem::take(&mut self.lead) + CODE_PADDING_PTS;
        let font = FontId::monospace(self.face.size * (SMALL_SIZE / BODY_SIZE));
        let start = self.char_count;
        self.push(text, lead, font, color);
        self.pieces.push((start..self.char_count, ParagraphPiece::Code));
        self.lead = CODE_PADDING_PTS;
    }

    pub fn push_struck(&mut self, text: &str, color: Color32) {
        let start = self.char_count;
        self.push_text(text, false, false, color);
        self.pieces.push((start..self.char_count, ParagraphPiece::Struck));
    }

    pub fn push_math(&mut self, formula: Arc<Formula>, color: Color32, max_width: f32) {
        let full_em = self.face.size * INLINE_SCALE;
        let em = full_em * (max_width / (formula.width * full_em).max(1.0)).clamp(0.5, 1.0);
        let chars = self.push_gap(formula.width * em);
        let math = ParagraphPiece::Math { formula, em, color };
        self.pieces.push((chars, math));
    }

    pub fn push_line_break(&mut self) {
        self.push_text("\n", false, false, self.face.color);
    }

    /// Appends the text of a link, with space for a mark before it if `has_mark` is true.
    pub fn push_link(
        &mut self,
        index: usize,
        has_mark: bool,
        text: &str,
        is_strong: bool,
        color: Color32,
    ) {
        let start = self.char_count;
        if has_mark {
            let chars = self.push_gap(self.face.size * MARK_WIDTH_EM);
            self.pieces.push((chars, ParagraphPiece::Mark(index)));
        }
        self.push_text(text, is_strong, false, color);
        self.pieces.push((start..self.char_count, ParagraphPiece::Link(index)));
    }

    /// Appends a gap made of two joiners. Unlike the leading space of a section, it
    /// remains at the start of a line.
    fn push_gap(&mut self, width: f32) -> Range<usize> {
        let start = self.char_count;
        let font = FontId::proportional(self.face.size);
        let lead = std::mem::take(&mut self.lead);
        self.push(JOINER, lead, font.clone(), self.face.color);
        self.push(JOINER, width, font, self.face.color);
        start..self.char_count
    }

    fn push(&mut self, text: &str, lead: f32, font_id: FontId, color: Color32) {
        self.char_count += text.chars().count();
        let format = TextFormat {
            font_id,
            color,
            line_height: Some(self.face.line),
            ..TextFormat::default()
        };
        self.job.append(text, lead, format);
    }

    /// Lays the text out with centered rows of at most `width` points.
    pub fn lay_out_centered(mut self, ui: &Ui, width: f32) -> Arc<Typeset> {
        self.job.halign = egui::Align::Center;
        self.lay_out(ui, width)
    }

    /// Lays the text out in rows of at most `width` points.
    pub fn lay_out(mut self, ui: &Ui, width: f32) -> Arc<Typeset> {
        self.job.wrap.max_width = width.max(8.0);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(self.job));
        let key = TypesetKey { galley: &galley, pieces: &self.pieces, face: self.face };
        ui.memory_mut(|memory| {
            memory.caches.cache::<FrameCache<Arc<Typeset>, TypesetComputer>>().get(key).clone()
        })
    }
}

#[derive(Default)]
struct TypesetComputer;

#[derive(Clone, Copy)]
struct TypesetKey<'a> {
    galley: &'a Arc<Galley>,
    pieces: &'a [(Range<usize>, ParagraphPiece)],
    face: Face,
}

/// egui returns the same galley for the same text until it has to rasterize its glyphs
/// again, so its address identifies the text. `Typeset` keeps the galley and the formulas
/// alive, so that no address is reused.
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

impl ComputerMut<TypesetKey<'_>, Arc<Typeset>> for TypesetComputer {
    fn compute(&mut self, key: TypesetKey<'_>) -> Arc<Typeset> {
        let mut galley = Galley::clone(key.galley);
        let baselines = align_rows(&mut galley, &key);
        let pieces = key
            .pieces
            .iter()
            .map(|(chars, piece)| (piece.clone(), find_spots(&galley, &baselines, chars)))
            .collect();
        Arc::new(Typeset { galley: Arc::new(galley), pieces, _source: key.galley.clone() })
    }
}

/// Moves the glyphs of every row to one baseline and the rows below each other. Returns
/// the baselines, measured from the top of the text.
fn align_rows(galley: &mut Galley, key: &TypesetKey<'_>) -> Vec<f32> {
    let pixels_per_point = galley.pixels_per_point;
    let mut baselines = Vec::with_capacity(galley.rows.len());
    let mut top = 0.0;
    let mut first_char = 0;
    galley.mesh_bounds = Rect::NOTHING;
    for placed in &mut galley.rows {
        let chars = first_char..first_char + placed.char_count_including_newline().0;
        first_char = chars.end;
        let mut ascent = key.face.ascent();
        let mut descent = key.face.line - key.face.ascent();
        for (piece_chars, piece) in key.pieces {
            if let ParagraphPiece::Math { formula, em, .. } = piece
                && chars.contains(&piece_chars.start)
            {
                ascent = ascent.max(formula.height * em + 2.0);
                descent = descent.max(formula.depth * em + 2.0);
            }
        }
        let baseline = snap_to_pixel(ascent, pixels_per_point);
        let height = snap_to_pixel(ascent + descent, pixels_per_point);
        let row = Arc::make_mut(&mut placed.row);
        for glyph in &mut row.glyphs {
            let shift = baseline - glyph.pos.y;
            glyph.pos.y = baseline;
            if !glyph.uv_rect.is_nothing() {
                let first_vertex = glyph.first_vertex as usize;
                for vertex in row.visuals.mesh.vertices.iter_mut().skip(first_vertex).take(4) {
                    vertex.pos.y += shift;
                }
            }
        }
        row.visuals.mesh_bounds = row.visuals.mesh.calc_bounds();
        row.size.y = height;
        placed.pos.y = top;
        galley.mesh_bounds |= placed.row.visuals.mesh_bounds.translate(placed.pos.to_vec2());
        baselines.push(top + baseline);
        top += height;
    }
    galley.rect.max.y = top;
    baselines
}

/// Rounds a length or coordinate in points to whole pixels.
pub fn snap_to_pixel(points: f32, pixels_per_point: f32) -> f32 {
    (points * pixels_per_point).round() / pixels_per_point
}

/// Returns the rectangles of a range of characters, one per row.
fn find_spots(galley: &Galley, baselines: &[f32], chars: &Range<usize>) -> Vec<PieceSpot> {
    let mut spots = Vec::new();
    let mut row_start = 0;
    for (placed, &baseline) in galley.rows.iter().zip(baselines) {
        let row_end = row_start + placed.glyphs.len();
        let start = chars.start.max(row_start) - row_start;
        let end = chars.end.min(row_end).saturating_sub(row_start);
        if let Some(glyphs) = placed.glyphs.get(start..end)
            && let Some(first) = glyphs.iter().find(|glyph| !glyph.chr.is_whitespace())
            && let Some(last) = glyphs.iter().rfind(|glyph| !glyph.chr.is_whitespace())
        {
            let x = placed.pos.x;
            let rect = Rect::from_min_max(
                pos2(x + first.pos.x, placed.min_y()),
                pos2(x + last.max_x(), placed.max_y()),
            );
            spots.push(PieceSpot { rect, baseline });
        }
        row_start += placed.char_count_including_newline().0;
    }
    spots
}

impl Typeset {
    /// Width of the longest part that cannot be broken, which is the minimum width of a
    /// column.
    pub fn longest_word_width(&self) -> f32 {
        let mut max_width: f32 = 0.0;
        for row in &self.galley.rows {
            // A row begins with its leading space, and a word includes the space after
            // it: egui would break before a space that does not fit.
            let mut start = Some(0.0);
            for glyph in &row.glyphs {
                max_width = max_width.max(glyph.max_x() - *start.get_or_insert(glyph.pos.x));
                if glyph.chr.is_whitespace() {
                    start = None;
                }
            }
        }
        max_width
    }

    pub fn width(&self) -> f32 {
        self.galley.rect.width()
    }

    pub fn height(&self) -> f32 {
        self.galley.rect.height()
    }

    /// Returns every piece with each of its spots, for a text whose corner is at `origin`.
    fn spots_at(&self, origin: Pos2) -> impl Iterator<Item = (&ParagraphPiece, PieceSpot)> {
        self.pieces
            .iter()
            .flat_map(move |(piece, spots)| spots.iter().map(move |spot| (piece, spot.at(origin))))
    }

    /// Paints the panels of code, the shapes behind links, the selectable text and the
    /// formulas, with the corner of the text at `origin`.
    pub fn paint_selectable(
        &self,
        ui: &Ui,
        response: &Response,
        origin: Pos2,
        theme: &Theme,
        behind: Vec<Shape>,
    ) {
        self.paint_pieces(ui.painter(), origin, theme, |painter| {
            painter.extend(behind);
            LabelSelectionState::label_text_selection(
                ui,
                response,
                origin,
                self.galley.clone(),
                theme.ink,
                Stroke::NONE,
            );
        });
    }

    /// Paints the text, which cannot be selected, with its corner at `at`.
    pub fn paint(&self, painter: &Painter, at: Pos2, theme: &Theme) {
        let rect = Rect::from_min_size(at, vec2(self.width(), self.height()));
        if painter.clip_rect().intersects(rect) {
            let origin = at - vec2(self.galley.rect.left(), 0.0);
            self.paint_pieces(painter, origin, theme, |painter| {
                painter.galley(origin, self.galley.clone(), theme.ink);
            });
        }
    }

    /// Paints the panels of code, then the text by `paint_galley`, then strikethroughs and
    /// formulas.
    fn paint_pieces(
        &self,
        painter: &Painter,
        origin: Pos2,
        theme: &Theme,
        paint_galley: impl FnOnce(&Painter),
    ) {
        for (piece, spot) in self.spots_at(origin) {
            if matches!(piece, ParagraphPiece::Code) {
                let size = spot.rect.height().min(24.0) * (2.0 / 3.0);
                let panel = spot.around_letters(size).expand2(vec2(3.0, 0.5));
                painter.rect_filled(panel, 4.0, code_background(theme));
            }
        }
        paint_galley(painter);
        for (piece, spot) in self.spots_at(origin) {
            if matches!(piece, ParagraphPiece::Struck) {
                let y = (spot.baseline - 0.17 * spot.rect.height().min(24.0)).round();
                painter.hline(spot.rect.x_range(), y, Stroke::new(1.0, theme.quiet));
            }
            if let ParagraphPiece::Math { formula, em, color } = piece {
                let baseline = Pos2::new(spot.rect.left(), spot.baseline);
                formula.paint(painter, baseline, *em, *color);
            }
        }
    }
}

/// The panel color, slightly stronger, because a small area needs more contrast.
fn code_background(theme: &Theme) -> Color32 {
    theme.panel.lerp_to_gamma(theme.rule, 0.5)
}
