//! A formula that is laid out: glyphs, rules and outlines around a baseline.

use std::sync::OnceLock;

use bindpose_lesson::{FormulaSetting as Setting, SymbolPlace, Unset, laid_out, symbol_places};
use eframe::egui::{
    Color32, FontFamily, FontId, Mesh, Painter, Pos2, Rect, Shape, Vec2, epaint::PathStroke, pos2,
    vec2,
};
use ratex_types::{
    color::Color,
    display_item::{DisplayItem, DisplayList},
};

use super::outline::{self, GlyphContour};
use crate::theme::{self, family};

/// What one piece of TeX looks like, in em; its origin is the left end of the
/// baseline, y points down.
#[derive(Debug)]
pub struct Formula {
    /// In em.
    pub width: f32,
    /// Above the baseline, in em.
    pub height: f32,
    /// Below the baseline, in em.
    pub depth: f32,
    marks: Vec<Mark>,
    tex: String,
    setting: Setting,
    symbols: OnceLock<Vec<SymbolPlace>>,
}

#[derive(Debug)]
struct Mark {
    /// `None`: the colour of the text around.
    color: Option<Color32>,
    kind: MarkKind,
}

#[derive(Debug)]
enum MarkKind {
    Glyph {
        baseline: Vec2,
        /// Over the size of the formula.
        scale: f32,
        family: FontFamily,
        text: String,
    },
    Rule(Rect),
    Outline(GlyphContour),
    Line(Vec<Pos2>),
}

impl Formula {
    /// TeX as it is laid out.
    ///
    /// Errors: [`laid_out`].
    pub fn new(tex: &str, setting: Setting) -> Result<Self, Unset> {
        let list = laid_out(tex, setting)?;
        Ok(Self::from_list(tex, setting, &list))
    }

    /// The symbols in it, worked out when they are first asked for.
    pub fn symbols(&self) -> &[SymbolPlace] {
        self.symbols.get_or_init(|| symbol_places(&self.tex, self.setting))
    }

    fn from_list(tex: &str, setting: Setting, list: &DisplayList) -> Self {
        let height = list.height as f32;
        Self {
            tex: tex.to_owned(),
            setting,
            symbols: OnceLock::new(),
            width: list.width as f32,
            height,
            depth: list.depth as f32,
            marks: list.items.iter().flat_map(|item| marks(item, vec2(0.0, -height))).collect(),
        }
    }

    /// Paints the formula with the left end of its baseline at `origin`, `em`
    /// points to the em.
    pub fn paint(&self, painter: &Painter, origin: Pos2, em: f32, ink: Color32) {
        let pixel = 1.0 / painter.pixels_per_point();
        for mark in &self.marks {
            let color = mark.color.unwrap_or(ink);
            match &mark.kind {
                MarkKind::Glyph { baseline, scale, family, text } => {
                    let font = FontId::new(em * scale, family.clone());
                    let galley = painter.layout_no_wrap(text.clone(), font, color);
                    let offset = galley
                        .rows
                        .first()
                        .and_then(|row| Some(row.pos + row.glyphs.first()?.pos.to_vec2()))
                        .unwrap_or_default();
                    painter.galley(origin + *baseline * em - offset.to_vec2(), galley, color);
                }
                MarkKind::Rule(rect) => {
                    let rect = Rect::from_min_size(
                        origin + rect.min.to_vec2() * em,
                        (rect.size() * em).max(Vec2::splat(pixel)),
                    );
                    painter.rect_filled(on_pixels(rect, pixel), 0.0, color);
                }
                MarkKind::Outline(outline) => {
                    let mut mesh = Mesh::default();
                    outline.fill(&mut mesh, origin, em, pixel, color);
                    painter.add(Shape::mesh(mesh));
                }
                MarkKind::Line(points) => {
                    let points = points.iter().map(|p| origin + p.to_vec2() * em).collect();
                    let stroke = PathStroke::new((0.04 * em).max(pixel), color);
                    painter.add(Shape::Path(eframe::egui::epaint::PathShape {
                        points,
                        closed: false,
                        fill: Color32::TRANSPARENT,
                        stroke,
                    }));
                }
            }
        }
    }
}

/// A rule keeps its thickness wherever it lies, and lies on whole pixels.
fn on_pixels(rect: Rect, pixel: f32) -> Rect {
    let snap = |value: f32| (value / pixel).round() * pixel;
    let size = vec2(snap(rect.width()).max(pixel), snap(rect.height()).max(pixel));
    Rect::from_min_size(pos2(snap(rect.left()), snap(rect.top())), size)
}

fn marks(item: &DisplayItem, origin: Vec2) -> Vec<Mark> {
    let at = |x: f64, y: f64| vec2(x as f32, y as f32) + origin;
    let (color, kinds) = match item {
        DisplayItem::GlyphPath { x, y, scale, font, char_code, color } => {
            let glyph = MarkKind::Glyph {
                baseline: at(*x, *y),
                scale: *scale as f32,
                family: family(font),
                text: char::from_u32(*char_code).unwrap_or('\u{fffd}').into(),
            };
            (color, vec![glyph])
        }
        DisplayItem::Line { x, y, width, thickness, color, dashed: _ } => {
            let corner = at(*x, y - thickness / 2.0).to_pos2();
            let size = vec2(*width as f32, *thickness as f32);
            (color, vec![MarkKind::Rule(Rect::from_min_size(corner, size))])
        }
        DisplayItem::Rect { x, y, width, height, color } => {
            let size = vec2(*width as f32, *height as f32);
            let rect = Rect::from_min_size(at(*x, *y).to_pos2(), size);
            (color, vec![MarkKind::Rule(rect)])
        }
        DisplayItem::Path { x, y, commands, fill, color } => {
            let kind = |contour: Vec<Pos2>| {
                if *fill {
                    MarkKind::Outline(GlyphContour::new(contour))
                } else {
                    MarkKind::Line(contour)
                }
            };
            let contours = outline::contours(commands, at(*x, *y));
            (color, contours.into_iter().map(kind).collect())
        }
    };
    let color = own_color(*color);
    kinds.into_iter().map(|kind| Mark { color, kind }).collect()
}

fn family(font: &str) -> FontFamily {
    let known = theme::mathematics().find(|&(face, _)| face == font);
    family::mathematics(known.map_or("Main-Regular", |(face, _)| face))
}

/// Black is what TeX gives where no colour is set.
fn own_color(color: Color) -> Option<Color32> {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    let asked = color.r != 0.0 || color.g != 0.0 || color.b != 0.0;
    asked.then(|| Color32::from_rgb(byte(color.r), byte(color.g), byte(color.b)))
}
