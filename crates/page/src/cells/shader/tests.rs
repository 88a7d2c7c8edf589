use bindpose_lesson::Transport;
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{DrawnWith, ShaderFinding, ShaderReport, VertexShader};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{self, Key, Modifiers, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable};

use super::super::testing::{Page, harness};
use super::*;
use crate::view::{NoViewports, Viewports};

const BODY: &str = "// TRANSPORT\nvoid main() {\n\
    \x20   mat4 skin = skin_matrix(joints, weights);\n\
    \x20   position_in_world = (skin * vec4(position_in_bind, 1.0)).xyz;\n\
    \x20   gl_Position = clip_from_world * vec4(position_in_world, 1.0);\n\
    \x20   pass_on(skin);\n}\n";

/// Reports lines that contain `oops` as errors.
struct FakeCompiler;

impl Viewports for FakeCompiler {
    fn shape(&mut self, id: &str, rect: egui::Rect, scene: Scene) -> Result<egui::Shape, String> {
        NoViewports.shape(id, rect, scene)
    }

    fn read_back_vertices(&mut self, scene: &Scene) -> Result<GpuVertices, String> {
        NoViewports.read_back_vertices(scene)
    }

    fn vertex_shader(&self, scene: &Scene) -> Result<VertexShader, String> {
        Ok(VertexShader {
            prelude: "in vec3 position_in_bind;".to_owned(),
            body: BODY.replace("TRANSPORT", scene.skinning.transport.key()),
        })
    }

    fn shader_report(&self, text: &str) -> Option<ShaderReport> {
        let findings: Vec<ShaderFinding> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.contains("oops"))
            .map(|(index, _)| ShaderFinding::at(index + 1, "`oops' undeclared"))
            .collect();
        let drawn_with = if findings.is_empty() { DrawnWith::Reader } else { DrawnWith::LastGood };
        Some(ShaderReport { findings, drawn_with, notes: Vec::new() })
    }
}

fn original_text() -> String {
    BODY.replace("TRANSPORT", "texel-fetch")
}

fn shader_harness(viewports: impl Viewports + 'static) -> Harness<'static, Page> {
    let mut page = Page::new("arm");
    page.viewports = Box::new(viewports);
    harness(page, |ui, page| {
        super::ui(ui, &ShaderCell::default(), "shader-1", page);
    })
}

fn visible_text(harness: &Harness<'_, Page>) -> String {
    let field = harness.get_by_label("Text of the vertex shader");
    field.accesskit_node().value().unwrap_or_default()
}

fn edited_text(harness: &Harness<'_, Page>) -> Option<String> {
    harness.state().document.state.shaders.values().next().cloned()
}

/// Moves the caret to the start of the first line that contains `text`.
fn move_caret_to_line(harness: &mut Harness<'_, Page>, text: &str) {
    harness.get_by_label("Text of the vertex shader").focus();
    harness.run();
    let line = original_text().split(text).next().unwrap().matches('\n').count();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Home);
    for _ in 0..line {
        harness.key_press(Key::ArrowDown);
    }
    harness.press(Key::Home);
}

fn edited_line(harness: &Harness<'_, Page>, index: usize) -> String {
    edited_text(harness).unwrap().lines().nth(index).unwrap().to_owned()
}

fn type_text(harness: &mut Harness<'_, Page>, text: &str) {
    harness.get_by_label("Text of the vertex shader").type_text(text);
    harness.run();
}

#[test]
fn error_has_its_line_and_reset_restores_the_text() {
    let mut harness = shader_harness(FakeCompiler);
    harness.run();
    assert_eq!(visible_text(&harness), original_text());
    let reset = harness.get_by_label("Reset the shader");
    assert!(reset.accesskit_node().is_disabled());

    move_caret_to_line(&mut harness, "    gl_Position");
    type_text(&mut harness, "oops;");
    assert_eq!(
        edited_text(&harness),
        Some(original_text().replace("    gl_Position", "oops;    gl_Position"))
    );
    harness.get_by_label("Line 5: `oops' undeclared");
    harness.get_by_label_contains("your last text that did");

    harness.click_label("Reset the shader");
    assert_eq!(visible_text(&harness), original_text());
    assert_eq!(edited_text(&harness), None);
    assert!(harness.query_by_label_contains("Line 5").is_none());
}

#[test]
fn new_error_is_scrolled_to_once() {
    let mut page = Page::new("arm");
    page.viewports = Box::new(FakeCompiler);
    let mut harness = harness(page, |ui, page| {
        egui::ScrollArea::vertical().max_height(200.0).show(ui, |ui| {
            super::ui(ui, &ShaderCell::default(), "shader-1", page);
        });
    });
    assert!(!is_visible(&harness, "It compiles, and draws the picture."));
    move_caret_to_line(&mut harness, "skin_matrix");
    type_text(&mut harness, "oops ");
    harness.run();
    assert!(is_visible(&harness, "Line 3: `oops' undeclared"));
    harness.get_by_role_and_label(Role::MultilineTextInput, "Text of the vertex shader").hover();
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 500.0),
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
        phase: egui::TouchPhase::Move,
    });
    harness.run_steps(12);
    assert!(!is_visible(&harness, "Line 3: `oops' undeclared"), "scrolled away by the reader");
}

/// Returns true if a message is in the visible part of the scroll area.
fn is_visible(harness: &Harness<'_, Page>, label: &str) -> bool {
    harness.query_by_label(label).is_some_and(|message| message.rect().bottom() <= 220.0)
}

#[test]
fn valid_text_is_reported_and_typing_the_original_is_no_change() {
    let mut harness = shader_harness(FakeCompiler);
    harness.run();
    move_caret_to_line(&mut harness, "void");
    type_text(&mut harness, "x");
    harness.get_by_label("It compiles, and draws the picture.");
    harness.press(Key::Backspace);
    assert_eq!(edited_text(&harness), None);
    assert!(harness.query_by_label_contains("It compiles").is_none());
}

#[test]
fn click_on_an_error_moves_the_caret_to_its_line() {
    let mut harness = shader_harness(FakeCompiler);
    harness.run();
    move_caret_to_line(&mut harness, "    pass_on");
    type_text(&mut harness, "oops;");
    move_caret_to_line(&mut harness, "// texel");
    harness.click_role(Role::Link, "Line 6: `oops' undeclared");
    type_text(&mut harness, "here");
    let text = edited_text(&harness).unwrap();
    assert!(text.lines().nth(5).unwrap().starts_with("here"), "{text}");
}

#[test]
fn tab_and_enter_indent_and_pasted_tabs_become_spaces() {
    let mut harness = shader_harness(FakeCompiler);
    harness.run();
    move_caret_to_line(&mut harness, "    pass_on");
    harness.press(Key::Tab);
    assert_eq!(edited_line(&harness, 5).find("pass_on"), Some(8));
    harness.key_press(Key::End);
    harness.press(Key::Enter);
    type_text(&mut harness, "a;");
    assert_eq!(edited_line(&harness, 6), "        a;");
    harness.event(egui::Event::Paste("\tb;\r\n\tc;".to_owned()));
    harness.run();
    assert_eq!(edited_line(&harness, 6), "        a;    b;");
    assert_eq!(edited_line(&harness, 7), "    c;");
}

#[test]
fn undo_of_the_text_field_is_disabled() {
    let mut harness = shader_harness(FakeCompiler);
    harness.run();
    move_caret_to_line(&mut harness, "void");
    for letter in ["a", "b", "c"] {
        type_text(&mut harness, letter);
        // egui adds an undo state after a pause.
        harness.run_steps(12);
    }
    let before = edited_text(&harness);
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(edited_text(&harness), before);
}

#[test]
fn presets_are_applied_and_removed_with_buttons() {
    let mut harness = shader_harness(FakeCompiler);
    harness.run();
    harness.click_label("unskinned");
    assert!(visible_text(&harness).contains("clip_from_world * vec4(position_in_bind, 1.0)"));
    harness.click_label("weights as colour");
    assert!(visible_text(&harness).contains("shown_color = vec4(weights.xyz, 1.0);"));
    harness.get_by_label("unskinned").click();
    harness.click_label("weights as colour");
    assert_eq!(edited_text(&harness), None, "both presets are removed");
}

#[test]
fn each_kind_of_shader_keeps_its_own_text() {
    let mut harness = shader_harness(FakeCompiler);
    harness.run();
    harness.click_label("unskinned");
    let unskinned = visible_text(&harness);

    harness.state_mut().document.state.transport = Transport::UniformArray;
    harness.run();
    assert!(visible_text(&harness).starts_with("// uniform-array"));
    assert!(!visible_text(&harness).contains("vec4(position_in_bind, 1.0);"));
    harness.get_by_label_contains("“texture, texelFetch · linear · inverse transpose” is kept");

    harness.state_mut().document.state.transport = Transport::TexelFetch;
    harness.run();
    assert_eq!(visible_text(&harness), unskinned);
}

#[test]
fn missing_gl_is_reported() {
    let mut harness = shader_harness(NoViewports);
    harness.run();
    harness.get_by_label_contains("OpenGL 3.3");
    assert!(harness.query_by_label_contains("It compiles").is_none());
}
