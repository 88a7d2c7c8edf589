use bindpose_lesson::Transport;
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{DrawnWith, ShaderFinding, ShaderReport, VertexShader};
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

/// Refuses lines with `oops` in them, as a compiler would.
struct Compiler;

impl Viewports for Compiler {
    fn shape(&mut self, id: &str, rect: egui::Rect, scene: Scene) -> Result<egui::Shape, String> {
        NoViewports.shape(id, rect, scene)
    }

    fn skinned(&mut self, scene: &Scene) -> Result<GpuVertices, String> {
        NoViewports.skinned(scene)
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

fn own() -> String {
    BODY.replace("TRANSPORT", "texel-fetch")
}

fn cell(viewports: impl Viewports + 'static) -> Harness<'static, Page> {
    let mut page = Page::new("arm");
    page.viewports = Box::new(viewports);
    harness(page, |view, page| {
        ui(view, &ShaderCell::default(), "shader-1", page);
    })
}

/// The text as it is drawn.
fn shown(harness: &Harness<'_, Page>) -> String {
    let field = harness.get_by_label("Text of the vertex shader");
    field.accesskit_node().value().unwrap_or_default()
}

fn rewritten(harness: &Harness<'_, Page>) -> Option<String> {
    harness.state().document.state.shaders.values().next().cloned()
}

/// Puts the caret before the first place where `text` stands.
fn caret_before(harness: &mut Harness<'_, Page>, text: &str) {
    harness.get_by_label("Text of the vertex shader").focus();
    harness.run();
    let line = own().split(text).next().unwrap().matches('\n').count();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Home);
    for _ in 0..line {
        harness.key_press(Key::ArrowDown);
    }
    harness.key_press(Key::Home);
    harness.run();
}

fn type_text(harness: &mut Harness<'_, Page>, text: &str) {
    harness.get_by_label("Text of the vertex shader").type_text(text);
    harness.run();
}

#[test]
fn typing_an_error_names_its_line_and_reset_brings_the_text_back() {
    let mut harness = cell(Compiler);
    harness.run();
    assert_eq!(shown(&harness), own());
    let reset = harness.get_by_label("Reset the shader");
    assert!(reset.accesskit_node().is_disabled());

    caret_before(&mut harness, "    gl_Position");
    type_text(&mut harness, "oops;");
    assert_eq!(rewritten(&harness), Some(own().replace("    gl_Position", "oops;    gl_Position")));
    harness.get_by_label("Line 5: `oops' undeclared");
    harness.get_by_label_contains("your last text that did");

    harness.get_by_label("Reset the shader").click();
    harness.run();
    assert_eq!(shown(&harness), own());
    assert_eq!(rewritten(&harness), None);
    assert!(harness.query_by_label_contains("Line 5").is_none());
}

#[test]
fn a_new_error_below_the_fold_is_brought_into_sight_once() {
    let mut page = Page::new("arm");
    page.viewports = Box::new(Compiler);
    let mut harness = harness(page, |view, page| {
        egui::ScrollArea::vertical().max_height(200.0).show(view, |view| {
            ui(view, &ShaderCell::default(), "shader-1", page);
        });
    });
    let in_sight = |harness: &Harness<'_, Page>, label: &str| {
        harness.query_by_label(label).is_some_and(|said| said.rect().bottom() <= 220.0)
    };
    assert!(!in_sight(&harness, "It compiles, and draws the picture."));
    caret_before(&mut harness, "skin_matrix");
    type_text(&mut harness, "oops ");
    harness.run();
    assert!(in_sight(&harness, "Line 3: `oops' undeclared"));
    harness.get_by_role_and_label(Role::MultilineTextInput, "Text of the vertex shader").hover();
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 500.0),
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
        phase: egui::TouchPhase::Move,
    });
    harness.run_steps(12);
    assert!(!in_sight(&harness, "Line 3: `oops' undeclared"), "it stays where it is scrolled");
}

#[test]
fn what_compiles_is_said_too_and_the_pages_own_text_is_no_change() {
    let mut harness = cell(Compiler);
    harness.run();
    caret_before(&mut harness, "void");
    type_text(&mut harness, "x");
    harness.get_by_label("It compiles, and draws the picture.");
    harness.key_press(Key::Backspace);
    harness.run();
    assert_eq!(rewritten(&harness), None);
    assert!(harness.query_by_label_contains("It compiles").is_none());
}

#[test]
fn a_click_on_an_error_puts_the_caret_into_its_line() {
    let mut harness = cell(Compiler);
    harness.run();
    caret_before(&mut harness, "    pass_on");
    type_text(&mut harness, "oops;");
    caret_before(&mut harness, "// texel");
    harness.get_by_role_and_label(Role::Link, "Line 6: `oops' undeclared").click();
    harness.run();
    type_text(&mut harness, "here");
    let text = rewritten(&harness).unwrap();
    assert!(text.lines().nth(5).unwrap().starts_with("here"), "{text}");
}

#[test]
fn tab_indents_by_spaces_enter_keeps_the_indent_and_pasted_tabs_are_spaces() {
    let mut harness = cell(Compiler);
    harness.run();
    caret_before(&mut harness, "    pass_on");
    harness.key_press(Key::Tab);
    harness.run();
    let line = |harness: &Harness<'_, Page>, index: usize| {
        rewritten(harness).unwrap().lines().nth(index).unwrap().to_owned()
    };
    let spaces = line(&harness, 5).find("pass_on");
    assert_eq!(spaces, Some(8));
    harness.key_press(Key::End);
    harness.key_press(Key::Enter);
    harness.run();
    type_text(&mut harness, "a;");
    assert_eq!(line(&harness, 6), "        a;");
    harness.event(egui::Event::Paste("\tb;\r\n\tc;".to_owned()));
    harness.run();
    assert_eq!(line(&harness, 6), "        a;    b;");
    assert_eq!(line(&harness, 7), "    c;");
}

#[test]
fn the_fields_own_undo_stays_out_of_the_notebooks() {
    let mut harness = cell(Compiler);
    harness.run();
    caret_before(&mut harness, "void");
    for letter in ["a", "b", "c"] {
        type_text(&mut harness, letter);
        // egui saves a state of its own once the text has rested.
        harness.run_steps(12);
    }
    let before = rewritten(&harness);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(rewritten(&harness), before);
}

#[test]
fn small_changes_go_in_and_out_by_their_buttons() {
    let mut harness = cell(Compiler);
    harness.run();
    harness.get_by_label("unskinned").click();
    harness.run();
    assert!(shown(&harness).contains("clip_from_world * vec4(position_in_bind, 1.0)"));
    harness.get_by_label("weights as colour").click();
    harness.run();
    assert!(shown(&harness).contains("shown_color = vec4(weights.xyz, 1.0);"));
    harness.get_by_label("unskinned").click();
    harness.get_by_label("weights as colour").click();
    harness.run();
    assert_eq!(rewritten(&harness), None, "nothing is left of them");
}

#[test]
fn each_kind_of_shader_has_a_text_of_its_own_which_comes_back_with_its_switch() {
    let mut harness = cell(Compiler);
    harness.run();
    harness.get_by_label("unskinned").click();
    harness.run();
    let mine = shown(&harness);

    harness.state_mut().document.state.transport = Transport::UniformArray;
    harness.run();
    assert!(shown(&harness).starts_with("// uniform-array"));
    assert!(!shown(&harness).contains("vec4(position_in_bind, 1.0);"));
    harness.get_by_label_contains("“texture, texelFetch · linear · inverse transpose” is kept");

    harness.state_mut().document.state.transport = Transport::TexelFetch;
    harness.run();
    assert_eq!(shown(&harness), mine);
}

#[test]
fn without_gl_it_says_what_is_missing() {
    let mut harness = cell(NoViewports);
    harness.run();
    harness.get_by_label_contains("OpenGL 3.3");
    assert!(harness.query_by_label_contains("It compiles").is_none());
}
