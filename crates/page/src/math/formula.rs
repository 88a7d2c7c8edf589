//! A formula that is laid out: glyphs, rules and outlines around a baseline.

use std::sync::OnceLock;

use bindpose_lesson::{FormulaSetting as Setting, LayoutError, SymbolBox, laid_out, symbol_places};
use eframe::egui::{
    Color32, FontFamily, FontId, Mesh, Painter, Pos2, Rect, Shape, Vec2, epaint::PathStroke, pos2,
    vec2,
};
use ratex_types::path_command::PathCommand;
use ratex_types::{
    color::Color,
    display_item::{DisplayItem, DisplayList},
};

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
    symbols: OnceLock<Vec<SymbolBox>>,
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
    pub fn new(tex: &str, setting: Setting) -> Result<Self, LayoutError> {
        let list = laid_out(tex, setting)?;
        Ok(Self::from_list(tex, setting, &list))
    }

    /// The symbols in it, worked out when they are first asked for.
    pub fn symbols(&self) -> &[SymbolBox] {
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
            let contours = glyph_contours(commands, at(*x, *y));
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

// Filled outlines: tall brackets, braces, radical signs. egui fills convex
// polygons only, so these are cut into triangles, with a soft edge.

/// Straight pieces per curve: enough for a brace on a projector.
const CURVE_STEPS: usize = 8;

/// One closed contour in em, y down, with its triangles.
#[derive(Debug)]
pub(super) struct GlyphContour {
    points: Vec<Pos2>,
    /// Unit vectors that point out of the shape, one per point.
    normals: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
}

impl GlyphContour {
    pub(super) fn new(mut points: Vec<Pos2>) -> Self {
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if area(&points) < 0.0 {
            points.reverse();
        }
        let normals = normals(&points);
        let triangles = ear_clip(&points);
        Self { points, normals, triangles }
    }

    /// Adds the shape at `origin`, `em` points to the em, with an edge that
    /// fades over three quarters of a pixel.
    pub(super) fn fill(&self, mesh: &mut Mesh, origin: Pos2, em: f32, pixel: f32, color: Color32) {
        let count = self.points.len() as u32;
        for point in &self.points {
            mesh.colored_vertex(origin + point.to_vec2() * em, color);
        }
        for &[a, b, c] in &self.triangles {
            mesh.add_triangle(a, b, c);
        }
        for (point, normal) in self.points.iter().zip(&self.normals) {
            let outer = origin + point.to_vec2() * em + *normal * (0.75 * pixel);
            mesh.colored_vertex(outer, Color32::TRANSPARENT);
        }
        for i in 0..count {
            let next = (i + 1) % count;
            mesh.add_triangle(i, next, count + i);
            mesh.add_triangle(next, count + next, count + i);
        }
    }
}

/// The contours of an outline as polygons, moved by `origin`.
pub(super) fn glyph_contours(commands: &[PathCommand], origin: Vec2) -> Vec<Vec<Pos2>> {
    let at = |x: f64, y: f64| pos2(x as f32, y as f32) + origin;
    let mut done = Vec::new();
    let mut current: Vec<Pos2> = Vec::new();
    for command in commands {
        let from = current.last().copied().unwrap_or(origin.to_pos2());
        let steps = (1..=CURVE_STEPS).map(|step| step as f32 / CURVE_STEPS as f32);
        match *command {
            PathCommand::MoveTo { x, y } => {
                done.push(std::mem::replace(&mut current, vec![at(x, y)]));
            }
            PathCommand::LineTo { x, y } => current.push(at(x, y)),
            PathCommand::QuadTo { x1, y1, x, y } => {
                let (b, c) = (at(x1, y1), at(x, y));
                current.extend(steps.map(|t| from.lerp(b, t).lerp(b.lerp(c, t), t)));
            }
            PathCommand::CubicTo { x1, y1, x2, y2, x, y } => {
                let (b, c, d) = (at(x1, y1), at(x2, y2), at(x, y));
                current.extend(steps.map(|t| {
                    let (ab, bc, cd) = (from.lerp(b, t), b.lerp(c, t), c.lerp(d, t));
                    ab.lerp(bc, t).lerp(bc.lerp(cd, t), t)
                }));
            }
            PathCommand::Close => done.push(std::mem::take(&mut current)),
        }
    }
    done.push(current);
    done.retain(|contour| contour.len() > 1);
    done
}

fn area(points: &[Pos2]) -> f32 {
    edges(points).map(|(a, b)| a.x * b.y - b.x * a.y).sum()
}

fn edges(points: &[Pos2]) -> impl Iterator<Item = (Pos2, Pos2)> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// For a contour that runs clockwise as seen on the screen.
fn normals(points: &[Pos2]) -> Vec<Vec2> {
    let outward: Vec<Vec2> = edges(points)
        .map(|(a, b)| {
            let along = (b - a).normalized();
            vec2(along.y, -along.x)
        })
        .collect();
    let before = outward.iter().cycle().skip(outward.len().saturating_sub(1));
    outward.iter().zip(before).map(|(after, before)| (*after + *before).normalized()).collect()
}

fn cross(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b - a).x * (c - a).y - (b - a).y * (c - a).x
}

/// Cuts a simple polygon into triangles, one ear at a time.
fn ear_clip(points: &[Pos2]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let corner = |i: usize| (left[(i + n - 1) % n], left[i], left[(i + 1) % n]);
        let is_ear = |i: usize| {
            let (a, b, c) = corner(i);
            let (pa, pb, pc) = (points[a], points[b], points[c]);
            cross(pa, pb, pc) > 1e-9
                && !left.iter().any(|&j| {
                    let p = points[j];
                    p != pa
                        && p != pb
                        && p != pc
                        && cross(pa, pb, p) >= 0.0
                        && cross(pb, pc, p) >= 0.0
                        && cross(pc, pa, p) >= 0.0
                })
        };
        // A contour that crosses itself may have no ear; losing a point then
        // costs a sliver, not the program.
        match (0..n).find(|&i| is_ear(i)) {
            Some(i) => {
                let (a, b, c) = corner(i);
                triangles.push([a as u32, b as u32, c as u32]);
                left.remove(i);
            }
            None => {
                left.remove(0);
            }
        }
    }
    if let [a, b, c] = left[..] {
        triangles.push([a as u32, b as u32, c as u32]);
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(outline: &GlyphContour) -> f32 {
        outline
            .triangles
            .iter()
            .map(|&[a, b, c]| {
                let p = |i: u32| outline.points[i as usize];
                cross(p(a), p(b), p(c)) / 2.0
            })
            .sum()
    }

    #[test]
    fn the_triangles_of_an_l_cover_its_area_whichever_way_it_runs() {
        let l = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 3.), (0., 3.)];
        let points: Vec<Pos2> = l.iter().map(|&(x, y)| pos2(x, y)).collect();
        let reversed = points.iter().rev().copied().collect();
        for contour in [points, reversed] {
            let outline = GlyphContour::new(contour);
            assert_eq!(outline.triangles.len(), 4);
            assert!((covered(&outline) - 5.0).abs() < 1e-5);
        }
    }

    #[test]
    fn normals_point_out_of_a_square() {
        let square = vec![pos2(0., 0.), pos2(2., 0.), pos2(2., 2.), pos2(0., 2.)];
        let outline = GlyphContour::new(square);
        for (point, normal) in outline.points.iter().zip(&outline.normals) {
            assert!((*point - pos2(1., 1.)).dot(*normal) > 1.0);
        }
    }

    #[test]
    fn contours_without_area_are_survived() {
        for points in [vec![], vec![pos2(1., 1.)], vec![pos2(1., 1.); 5]] {
            assert!(GlyphContour::new(points).triangles.is_empty());
        }
    }
}
