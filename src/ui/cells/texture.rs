//! The joint palette as a texture: one row a joint, one texel a column of its
//! matrix.

use eframe::egui::{
    Align2, Color32, FontId, Frame, Id, Margin, Rect, RichText, ScrollArea, Sense, Stroke, Ui,
    WidgetInfo, accesskit::Role, pos2, vec2,
};
use glam::{Mat4, Vec4};

use super::choose;
use super::texel::{self, MEANING};
use crate::lesson::TextureCell;
use crate::notebook::{Edit, Entity};
use crate::skin::JointIndex;
use crate::ui::PageContext;
use crate::ui::theme::{SMALL, Theme, family};
use crate::ui::widgets::{badge_size, paint_badge};

/// Rows in the box where the lesson does not say.
const ROWS: usize = 6;
/// Widest column: beyond it the numbers of a texel fall apart.
const WIDEST: f32 = 220.0;
const RULER: f32 = 46.0;
const HEADINGS: f32 = 22.0;
/// Room for the bar of the box, where it scrolls.
const BAR: f32 = 14.0;

/// Where things are, the same in every row.
struct Grid {
    rows: usize,
    gutter: f32,
    /// From one texel to the next.
    pitch: f32,
    shape: texel::Shape,
    /// What places are divided by for their colour.
    size: f32,
    centres: bool,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &TextureCell, id: &str, page: &mut PageContext<'_>) {
    let rows = page.derived.world_from_bind.len();
    let visible = cell.rows.unwrap_or(ROWS).clamp(1, 24).min(rows);
    let grid = Grid::fitting(ui, page, cell.centres, visible < rows);
    let title = format!("palette: 4 × {rows} texels, four floats each");
    let title = RichText::new(title).size(SMALL).color(page.theme.quiet);
    ui.label(title);
    ui.spacing_mut().item_spacing.y = 0.0;
    headings(ui, page.theme, &grid);
    if grid.centres {
        ruler(ui, page.theme, &grid);
    }
    let half = if visible < rows { 0.5 } else { 0.0 };
    let chosen = Id::unique(("texture cell", &page.document.lesson, id));
    ScrollArea::vertical()
        .id_salt((id, "texels"))
        .max_height(grid.row_height() * (visible as f32 + half))
        .auto_shrink([false, true])
        .show_rows(ui, grid.row_height(), rows, |ui, range| {
            bring_into_view(ui, &grid, &range, chosen, page.document.joint);
            for row in range {
                show_row(ui, page, &grid, JointIndex(row as u16), chosen);
            }
        });
    ui.spacing_mut().item_spacing.y = 8.0;
    ui.add_space(6.0);
    reading(ui, page, &grid, chosen);
    let legend = format!(
        "Colour: the first three numbers as red, green, blue. −1 dark, 0 grey, 1 bright; origins divided by {}.",
        grid.size
    );
    ui.label(RichText::new(legend).size(13.0).color(page.theme.quiet));
}

impl Grid {
    fn fitting(ui: &Ui, page: &PageContext<'_>, centres: bool, scrolls: bool) -> Self {
        let palette = &page.derived.world_from_bind;
        let last = JointIndex(palette.len().saturating_sub(1) as u16);
        let gutter = badge_size(last).x + if centres { 62.0 } else { 14.0 };
        let bar = if scrolls { BAR } else { 0.0 };
        let pitch = ((ui.available_width() - gutter - bar) / 4.0).clamp(20.0, WIDEST);
        Self {
            rows: palette.len(),
            gutter,
            pitch,
            shape: texel::Shape::fitting(ui, pitch - texel::GAP.x, palette),
            size: texel::round_size(&page.derived.rig.mesh.positions),
            centres,
        }
    }

    fn row_height(&self) -> f32 {
        self.shape.height() + texel::GAP.y
    }

    fn width(&self) -> f32 {
        self.gutter + 4.0 * self.pitch
    }

    /// From the left of the cell to the middle of a texel.
    fn middle(&self, column: usize) -> f32 {
        self.gutter + self.pitch * (column as f32 + 0.5)
    }
}

/// `texel 0 · x axis`, `1 · y axis`, …
fn headings(ui: &mut Ui, theme: &Theme, grid: &Grid) {
    let (rect, _) = ui.allocate_exact_size(vec2(grid.width(), HEADINGS), Sense::hover());
    let font = FontId::proportional(13.0);
    let layout = |text: String| ui.painter().layout_no_wrap(text, font.clone(), theme.quiet);
    for (column, meaning) in MEANING.iter().enumerate() {
        let lead = if column == 0 { "texel " } else { "" };
        let galley = [
            format!("{lead}{column} · {meaning}"),
            format!("{column} · {meaning}"),
            format!("{column}"),
        ]
        .map(layout)
        .into_iter()
        .find(|galley| galley.size().x <= grid.pitch - 2.0);
        if let Some(galley) = galley {
            let middle = rect.left() + grid.middle(column);
            let at = pos2(middle - galley.size().x / 2.0, rect.top() + 2.0);
            ui.painter().galley(at, galley, theme.quiet);
        }
    }
}

/// Edges above the line, centres below it: (x + 0.5) / 4.
fn ruler(ui: &mut Ui, theme: &Theme, grid: &Grid) {
    let (rect, response) = ui.allocate_exact_size(vec2(grid.width(), RULER), Sense::hover());
    response.widget_info(|| {
        let words = "texel centres along the width: 0.125, 0.375, 0.625, 0.875";
        WidgetInfo::labeled(Role::Label, true, words)
    });
    let y = rect.top() + 22.0;
    let left = rect.left() + grid.gutter;
    let ends = [pos2(left, y), pos2(left + 4.0 * grid.pitch, y)];
    let painter = ui.painter();
    painter.line_segment(ends, Stroke::new(1.0, theme.quiet));
    let text = |x: f32, y: f32, anchor: Align2, words: &str, font: FontId, color: Color32| {
        painter.text(pos2(x, y), anchor, words, font, color);
    };
    for (edge, words) in ["0", "0.25", "0.5", "0.75", "1"].into_iter().enumerate() {
        let x = left + grid.pitch * edge as f32;
        let tick = [pos2(x, y - 5.0), pos2(x, y)];
        painter.line_segment(tick, Stroke::new(1.0, theme.quiet));
        let (anchor, x) = match edge {
            4 => (Align2::RIGHT_BOTTOM, x + 1.0),
            _ => (Align2::CENTER_BOTTOM, x),
        };
        let font = FontId::proportional(12.0);
        text(x, y - 6.0, anchor, words, font, theme.quiet);
    }
    for column in 0..4 {
        let x = rect.left() + grid.middle(column);
        let tick = [pos2(x, y), pos2(x, y + 7.0)];
        painter.line_segment(tick, Stroke::new(2.0, theme.accent));
        let font = FontId::new(13.0, family::strong());
        let words = texel::centre(column, 4);
        text(x, y + 7.0, Align2::CENTER_TOP, &words, font, theme.accent);
    }
}

/// Once, when another joint is chosen elsewhere.
fn bring_into_view(
    ui: &Ui,
    grid: &Grid,
    shown: &std::ops::Range<usize>,
    memory: Id,
    joint: JointIndex,
) {
    let seen = memory.with("joint");
    let before: Option<JointIndex> = ui.data(|data| data.get_temp(seen));
    if before == Some(joint) {
        return;
    }
    ui.data_mut(|data| data.insert_temp(seen, joint));
    let top = ui.cursor().top() + grid.row_height() * (joint.at() as f32 - shown.start as f32);
    let row = Rect::from_min_size(
        pos2(ui.cursor().left(), top),
        vec2(grid.width(), grid.row_height()),
    );
    ui.scroll_to_rect(row, None);
}

fn show_row(ui: &mut Ui, page: &mut PageContext<'_>, grid: &Grid, joint: JointIndex, memory: Id) {
    let size = vec2(grid.width(), grid.row_height());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let lit = page.linked.hovered() == Some(Entity::Joint(joint));
    let wash = if lit {
        Some(page.theme.lit)
    } else {
        (page.document.joint == joint).then_some(page.theme.accent_wash)
    };
    if let Some(wash) = wash {
        ui.painter().rect_filled(rect, 8.0, wash);
    }
    head(ui, page, grid, joint, rect);
    let Some(&matrix) = page.derived.world_from_bind.get(joint.at()) else {
        return;
    };
    for column in 0..4 {
        show_texel(
            ui,
            page,
            grid,
            (joint, column),
            matrix.col(column),
            rect,
            memory,
        );
    }
}

/// The joint's number, and where the middle of its row is.
fn head(ui: &mut Ui, page: &mut PageContext<'_>, grid: &Grid, joint: JointIndex, row: Rect) {
    let size = badge_size(joint);
    let badge = Rect::from_min_size(pos2(row.left() + 4.0, row.center().y - size.y / 2.0), size);
    let response = ui.interact(
        badge.expand(3.0),
        ui.scope_id().with(("row", joint.0)),
        Sense::click(),
    );
    let name = choose::joint_name(page, joint);
    let own = name.is_empty() || name == format!("joint {}", joint.0);
    let label = if own {
        format!("joint {}, row {}", joint.0, joint.0)
    } else {
        format!("joint {}, row {}: {name}", joint.0, joint.0)
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    paint_badge(ui, page.theme, badge, joint);
    if grid.centres {
        ui.painter().text(
            pos2(row.left() + grid.gutter - 8.0, row.center().y),
            Align2::RIGHT_CENTER,
            texel::centre(joint.at(), grid.rows),
            FontId::new(13.0, family::strong()),
            page.theme.accent,
        );
    }
    if response.hovered() || response.has_focus() {
        page.linked.hover(Entity::Joint(joint));
    }
    if response.on_hover_text(label).clicked() {
        page.edits.push(Edit::Joint(joint));
    }
}

fn show_texel(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    grid: &Grid,
    (joint, column): (JointIndex, usize),
    value: Vec4,
    row: Rect,
    memory: Id,
) {
    let left = row.left() + grid.gutter + grid.pitch * column as f32;
    let cell = Rect::from_min_size(pos2(left, row.top()), vec2(grid.pitch, row.height()));
    let id = ui.scope_id().with(("texel", joint.0, column));
    let response = ui.interact(cell, id, Sense::click());
    let words = texel::words(value);
    response.widget_info(|| {
        let label = format!("joint {}, texel {column}: {words}", joint.0);
        WidgetInfo::labeled(Role::Button, true, label)
    });
    let entity = Entity::Column(joint, column);
    let whole_row = matches!(page.linked.hovered(), Some(Entity::Joint(_)));
    let ring = response.has_focus() || (page.linked.is_lit(entity) && !whole_row);
    let fill = texel::tint(column, value, grid.size);
    texel::paint(
        ui,
        page.theme,
        texel::inset(cell),
        fill,
        value,
        grid.shape,
        ring,
    );
    if response.hovered() || response.has_focus() {
        page.linked.hover(entity);
    }
    if response.clicked() {
        ui.data_mut(|data| data.insert_temp(memory.with("column"), column));
        if page.document.joint != joint {
            page.edits.push(Edit::Joint(joint));
        }
    }
}

/// What a shader reads from the texel that is lit, or was chosen.
fn reading(ui: &mut Ui, page: &PageContext<'_>, grid: &Grid, memory: Id) {
    let lit = match page.linked.hovered() {
        Some(Entity::Column(joint, column) | Entity::Cell(joint, column, _)) => {
            Some((joint, column))
        }
        _ => None,
    };
    let kept: Option<usize> = ui.data(|data| data.get_temp(memory.with("column")));
    let (joint, column) = lit.unwrap_or((page.document.joint, kept.unwrap_or(3)));
    let Some(value) = page
        .derived
        .world_from_bind
        .get(joint.at())
        .filter(|_| column < 4)
        .map(|matrix: &Mat4| matrix.col(column))
    else {
        return;
    };
    let (call, result) = texel::read(joint, column, grid.rows, grid.centres, value);
    Frame::NONE
        .fill(page.theme.panel)
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.label(texel::equation(
                page.theme,
                &call,
                &result,
                ui.available_width(),
            ));
            let words = texel::meaning(joint, column);
            ui.label(RichText::new(words).size(SMALL).color(page.theme.quiet));
        });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::cells::testing::{Page, harness};
    use egui_kittest::{Harness, kittest::Queryable};
    use std::time::{Duration, Instant};

    fn shown(page: Page, cell: TextureCell) -> Harness<'static, Page> {
        let mut harness = harness(page, move |view, page| ui(view, &cell, "t", page));
        harness.run();
        harness
    }

    /// Joint 1 turned by 60°, as in lesson 80.
    fn turned() -> Page {
        let mut page = Page::new("bone_grid");
        let angle_rad = 60.0_f64.to_radians();
        page.document.params.insert("b1".to_owned(), angle_rad);
        page.document.joint = JointIndex(1);
        page
    }

    #[test]
    fn each_texel_holds_a_column_of_the_matrix_of_its_row() {
        let harness = shown(turned(), TextureCell::default());
        harness.get_by_label("joint 0, texel 0: 1.00, 0.00, 0.00, 0.00");
        harness.get_by_label("joint 1, texel 0: 0.50, 0.87, 0.00, 0.00");
        harness.get_by_label("joint 1, texel 1: −0.87, 0.50, 0.00, 0.00");
        harness.get_by_label("joint 1, texel 2: 0.00, 0.00, 1.00, 0.00");
        harness.get_by_label("joint 2, texel 3: 2.00, −3.46, 0.00, 1.00");
        let read = "texelFetch(palette, ivec2(3, 1), 0) = (2.00, −3.46, 0.00, 1.00)";
        harness.get_by_label(read);
        harness.get_by_label("column 3 of joint 1: where the origin goes");
    }

    #[test]
    fn pointing_at_a_texel_lights_its_column_and_says_how_it_is_read() {
        let mut harness = shown(turned(), TextureCell::default());
        harness.get_by_label_contains("joint 2, texel 1").hover();
        harness.run();
        let column = Entity::Column(JointIndex(2), 1);
        assert_eq!(harness.state().linked.hovered(), Some(column));
        harness.get_by_label("column 1 of joint 2: where the y axis goes");
        assert!(harness.state().edits.is_empty());
    }

    #[test]
    fn a_texel_or_a_row_chooses_its_joint() {
        let mut harness = shown(turned(), TextureCell::default());
        harness.get_by_label_contains("joint 2, texel 0").click();
        harness.run();
        assert_eq!(
            harness.state().edits.last(),
            Some(&Edit::Joint(JointIndex(2)))
        );
        harness.get_by_label_contains("joint 0, row 0").click();
        harness.run();
        assert_eq!(
            harness.state().edits.last(),
            Some(&Edit::Joint(JointIndex(0)))
        );
        harness.hover_at(pos2(690.0, 490.0));
        harness.run();
        harness.get_by_label("column 0 of joint 0: where the x axis goes");
    }

    #[test]
    fn with_centres_a_texel_is_read_where_its_middle_is() {
        let cell = TextureCell {
            centres: true,
            ..TextureCell::default()
        };
        let harness = shown(turned(), cell);
        harness.get_by_label_contains("0.125, 0.375, 0.625, 0.875");
        harness.get_by_label_contains("texture2D(palette, vec2(0.875, 0.500)) = (2.00");
    }

    #[test]
    fn of_three_hundred_joints_only_what_is_seen_is_laid_out() {
        let mut page = Page::new("centipede(300)");
        page.document.joint = JointIndex(250);
        let started = Instant::now();
        let mut harness = shown(page, TextureCell::default());
        harness.get_by_label_contains("palette: 4 × 300 texels");
        harness.get_by_label_contains("joint 250, texel 3");
        let texels = harness.query_all_by_label_contains(", texel ").count();
        assert!((24..=40).contains(&texels), "{texels}");
        harness.state_mut().document.joint = JointIndex(3);
        harness.run();
        harness.get_by_label_contains("joint 3, texel 0");
        let took = started.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?}");
    }

    #[test]
    fn nothing_is_clipped_in_a_narrow_column() {
        for (width, centres) in [(300.0, false), (300.0, true), (480.0, true), (900.0, true)] {
            let cell = TextureCell {
                centres,
                ..TextureCell::default()
            };
            let mut harness = harness(turned(), move |view, page| {
                view.set_max_width(width);
                ui(view, &cell, "t", page);
                let used = view.min_rect().width();
                assert!(used <= width + 0.5, "{used} of {width}");
            });
            harness.set_size(vec2(width + 16.0, 600.0));
            harness.run();
            let last = harness.get_by_label_contains("joint 2, texel 3").rect();
            assert!(last.right() <= width + 16.0, "{last:?}");
        }
    }
}
