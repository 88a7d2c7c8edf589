//! A laid out formula: glyphs, rules and outlines around a baseline.

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

/// A laid out formula, in em. Its origin is the left end of the baseline, and y points
/// down.
#[derive(Debug)]
pub struct Formula {
    /// In em.
    pub width: f32,
    /// Height above the baseline, in em.
    pub height: f32,
    /// Depth below the baseline, in em.
    pub depth: f32,
    marks: Vec<Mark>,
    tex: String,
    setting: Setting,
    symbols: OnceLock<Vec<SymbolBox>>,
}

#[derive(Debug)]
struct Mark {
    /// `None` for the color of the surrounding text.
    color: Option<Color32>,
    kind: MarkKind,
}

#[derive(Debug)]
enum MarkKind {
    Glyph {
        baseline: Vec2,
        /// Relative to the size of the formula.
        scale: f32,
        family: FontFamily,
        text: String,
    },
    Rule(Rect),
    Outline(GlyphContour),
    Line(Vec<Pos2>),
}

impl Formula {
    /// Lays TeX out.
    ///
    /// # Errors
    ///
    /// See [`laid_out`].
    pub fn new(tex: &str, setting: Setting) -> Result<Self, LayoutError> {
        let list = laid_out(tex, setting)?;
        Ok(Self::from_list(tex, setting, &list))
    }

    /// Returns the symbols in the formula. Computed on first use.
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
            marks: list
                .items
                .iter()
                .flat_map(|item| marks_of_item(item, vec2(0.0, -height)))
                .collect(),
        }
    }

    /// Paints the formula with the left end of its baseline at `origin` and `em` points
    /// per em.
    pub fn paint(&self, painter: &Painter, origin: Pos2, em: f32, ink: Color32) {
        let pixel_size = 1.0 / painter.pixels_per_point();
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
                        (rect.size() * em).max(Vec2::splat(pixel_size)),
                    );
                    painter.rect_filled(snap_to_pixels(rect, pixel_size), 0.0, color);
                }
                MarkKind::Outline(outline) => {
                    let mut mesh = Mesh::default();
                    outline.fill(&mut mesh, origin, em, pixel_size, color);
                    painter.add(Shape::mesh(mesh));
                }
                MarkKind::Line(points) => {
                    let points = points.iter().map(|p| origin + p.to_vec2() * em).collect();
                    let stroke = PathStroke::new((0.04 * em).max(pixel_size), color);
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

/// Moves a rule to whole pixels, so that its thickness does not depend on its position.
fn snap_to_pixels(rect: Rect, pixel_size: f32) -> Rect {
    let [left, top, width, height] = [rect.left(), rect.top(), rect.width(), rect.height()]
        .map(|points| (points / pixel_size).round() * pixel_size);
    let size = vec2(width.max(pixel_size), height.max(pixel_size));
    Rect::from_min_size(pos2(left, top), size)
}

fn marks_of_item(item: &DisplayItem, origin: Vec2) -> Vec<Mark> {
    let (color, kinds) = match item {
        DisplayItem::GlyphPath { x, y, scale, font, char_code, color } => {
            let glyph = MarkKind::Glyph {
                baseline: vec2(*x as f32, *y as f32) + origin,
                scale: *scale as f32,
                family: font_family(font),
                text: char::from_u32(*char_code).unwrap_or('\u{fffd}').into(),
            };
            (color, vec![glyph])
        }
        DisplayItem::Line { x, y, width, thickness, color, dashed: _ } => {
            let corner = vec2(*x as f32, (y - thickness / 2.0) as f32) + origin;
            let size = vec2(*width as f32, *thickness as f32);
            (color, vec![MarkKind::Rule(Rect::from_min_size(corner.to_pos2(), size))])
        }
        DisplayItem::Rect { x, y, width, height, color } => {
            let corner = vec2(*x as f32, *y as f32) + origin;
            let size = vec2(*width as f32, *height as f32);
            (color, vec![MarkKind::Rule(Rect::from_min_size(corner.to_pos2(), size))])
        }
        DisplayItem::Path { x, y, commands, fill, color } => {
            let path_origin = vec2(*x as f32, *y as f32) + origin;
            let contours = glyph_contours(commands, path_origin).into_iter();
            let kinds = if *fill {
                contours.map(|contour| MarkKind::Outline(GlyphContour::new(contour))).collect()
            } else {
                contours.map(MarkKind::Line).collect()
            };
            (color, kinds)
        }
    };
    let color = explicit_color(*color);
    kinds.into_iter().map(|kind| Mark { color, kind }).collect()
}

fn font_family(font: &str) -> FontFamily {
    let is_known = theme::mathematics().any(|(face, _)| face == font);
    family::mathematics(if is_known { font } else { "Main-Regular" })
}

/// Returns the color of an item, or `None` if it is black, which is the color of TeX
/// without color commands.
fn explicit_color(color: Color) -> Option<Color32> {
    if color.r == 0.0 && color.g == 0.0 && color.b == 0.0 {
        return None;
    }
    let [red, green, blue] =
        [color.r, color.g, color.b].map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
    Some(Color32::from_rgb(red, green, blue))
}

// Filled outlines such as tall brackets, braces and radical signs. egui fills only convex
// polygons, so outlines are triangulated, and given a soft edge.

/// Line segments per curve, enough for a brace on a projector.
const SEGMENTS_PER_CURVE: usize = 8;

/// A closed contour in em with its triangles. The y axis points down.
#[derive(Debug)]
pub(super) struct GlyphContour {
    points: Vec<Pos2>,
    /// Outward unit normals, one per point.
    normals: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
}

impl GlyphContour {
    pub(super) fn new(mut points: Vec<Pos2>) -> Self {
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if doubled_area(&points) < 0.0 {
            points.reverse();
        }
        let normals = outward_normals(&points);
        let triangles = triangulate(&points);
        Self { points, normals, triangles }
    }

    /// Adds the shape to a mesh at `origin`, with `em` points per em and an edge that
    /// fades over three quarters of a pixel.
    pub(super) fn fill(
        &self,
        mesh: &mut Mesh,
        origin: Pos2,
        em: f32,
        pixel_size: f32,
        color: Color32,
    ) {
        let count = self.points.len() as u32;
        for point in &self.points {
            mesh.colored_vertex(origin + point.to_vec2() * em, color);
        }
        for &[a, b, c] in &self.triangles {
            mesh.add_triangle(a, b, c);
        }
        for (point, normal) in self.points.iter().zip(&self.normals) {
            let outer = origin + point.to_vec2() * em + *normal * (0.75 * pixel_size);
            mesh.colored_vertex(outer, Color32::TRANSPARENT);
        }
        for i in 0..count {
            let next = (i + 1) % count;
            mesh.add_triangle(i, next, count + i);
            mesh.add_triangle(next, count + next, count + i);
        }
    }
}

/// Converts an outline to polygons, moved by `origin`.
pub(super) fn glyph_contours(commands: &[PathCommand], origin: Vec2) -> Vec<Vec<Pos2>> {
    let mut contours = Vec::new();
    let mut current: Vec<Pos2> = Vec::new();
    for command in commands {
        let from = current.last().copied().unwrap_or(origin.to_pos2());
        let steps = (1..=SEGMENTS_PER_CURVE).map(|step| step as f32 / SEGMENTS_PER_CURVE as f32);
        match *command {
            PathCommand::MoveTo { x, y } => {
                contours.push(std::mem::replace(&mut current, vec![path_point(x, y, origin)]));
            }
            PathCommand::LineTo { x, y } => current.push(path_point(x, y, origin)),
            PathCommand::QuadTo { x1, y1, x, y } => {
                let b = path_point(x1, y1, origin);
                let c = path_point(x, y, origin);
                current.extend(steps.map(|t| from.lerp(b, t).lerp(b.lerp(c, t), t)));
            }
            PathCommand::CubicTo { x1, y1, x2, y2, x, y } => {
                let b = path_point(x1, y1, origin);
                let c = path_point(x2, y2, origin);
                let d = path_point(x, y, origin);
                current.extend(steps.map(|t| {
                    let ab = from.lerp(b, t);
                    let bc = b.lerp(c, t);
                    let cd = c.lerp(d, t);
                    ab.lerp(bc, t).lerp(bc.lerp(cd, t), t)
                }));
            }
            PathCommand::Close => contours.push(std::mem::take(&mut current)),
        }
    }
    contours.push(current);
    contours.retain(|contour| contour.len() > 1);
    contours
}

fn path_point(x: f64, y: f64, origin: Vec2) -> Pos2 {
    pos2(x as f32, y as f32) + origin
}

fn doubled_area(points: &[Pos2]) -> f32 {
    edges(points).map(|(a, b)| a.x * b.y - b.x * a.y).sum()
}

fn edges(points: &[Pos2]) -> impl Iterator<Item = (Pos2, Pos2)> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// Computes the outward normals of a contour that runs clockwise on the screen, one per
/// point.
fn outward_normals(points: &[Pos2]) -> Vec<Vec2> {
    let edge_normals: Vec<Vec2> = edges(points)
        .map(|(a, b)| {
            let along = (b - a).normalized();
            vec2(along.y, -along.x)
        })
        .collect();
    let previous = edge_normals.iter().cycle().skip(edge_normals.len().saturating_sub(1));
    edge_normals
        .iter()
        .zip(previous)
        .map(|(after, before)| (*after + *before).normalized())
        .collect()
}

/// Twice the signed area of a triangle.
fn cross(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b - a).x * (c - a).y - (b - a).y * (c - a).x
}

/// Triangulates a simple polygon by ear clipping.
fn triangulate(points: &[Pos2]) -> Vec<[u32; 3]> {
    let mut remaining: Vec<usize> = (0..points.len()).collect();
    let mut triangles = Vec::new();
    while remaining.len() > 3 {
        match (0..remaining.len()).find(|&corner| is_ear(points, &remaining, corner)) {
            Some(corner) => {
                let [a, b, c] = corner_indices(&remaining, corner);
                triangles.push([a as u32, b as u32, c as u32]);
                remaining.remove(corner);
            }
            // A contour that crosses itself may have no ear. Dropping a point then costs a
            // sliver, but does not loop forever.
            None => {
                remaining.remove(0);
            }
        }
    }
    if let [a, b, c] = remaining[..] {
        triangles.push([a as u32, b as u32, c as u32]);
    }
    triangles
}

/// Indices of the points before, at and after a corner.
fn corner_indices(remaining: &[usize], corner: usize) -> [usize; 3] {
    let count = remaining.len();
    [remaining[(corner + count - 1) % count], remaining[corner], remaining[(corner + 1) % count]]
}

/// Returns true if the triangle at a corner is convex and contains no other point.
fn is_ear(points: &[Pos2], remaining: &[usize], corner: usize) -> bool {
    let [a, b, c] = corner_indices(remaining, corner).map(|index| points[index]);
    cross(a, b, c) > 1e-9
        && !remaining.iter().any(|&index| {
            let point = points[index];
            point != a
                && point != b
                && point != c
                && cross(a, b, point) >= 0.0
                && cross(b, c, point) >= 0.0
                && cross(c, a, point) >= 0.0
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered_area(outline: &GlyphContour) -> f32 {
        let mut area = 0.0;
        for triangle in &outline.triangles {
            let [a, b, c] = triangle.map(|index| outline.points[index as usize]);
            area += cross(a, b, c) / 2.0;
        }
        area
    }

    #[test]
    fn triangles_of_an_l_cover_its_area_in_both_directions() {
        let l = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 3.), (0., 3.)];
        let points: Vec<Pos2> = l.iter().map(|&(x, y)| pos2(x, y)).collect();
        let reversed = points.iter().rev().copied().collect();
        for contour in [points, reversed] {
            let outline = GlyphContour::new(contour);
            assert_eq!(outline.triangles.len(), 4);
            assert!((covered_area(&outline) - 5.0).abs() < 1e-5);
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
    fn contours_without_area_have_no_triangles() {
        for points in [vec![], vec![pos2(1., 1.)], vec![pos2(1., 1.); 5]] {
            assert!(GlyphContour::new(points).triangles.is_empty());
        }
    }
}
