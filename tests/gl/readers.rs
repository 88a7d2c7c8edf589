//! Vertex shaders written by readers: which draw, which are rejected with which errors, and no leaked
//! objects after a thousand of them.

use bindpose_lesson::{LessonSet, Transport};
use bindpose_notebook::glsl::{apply_try, tries};
use bindpose_notebook::{DrawnWith, ShaderReport};

use bindpose_testkit::ReaderActions as _;
use egui_kittest::kittest::Queryable as _;

use super::*;

/// A square moved to the right by its only joint.
fn moved() -> Scene {
    scene(square(0.5, 0.0), &[Mat4::from_translation(Vec3::new(1.0, 0.0, 0.0))])
}

fn body(renderer: &Renderer, scene: &Scene) -> String {
    renderer.vertex_shader(scene).expect("it fits").body
}

/// Draws with a reader's shader and returns the report about it.
fn report(renderer: &mut Renderer, scene: &mut Scene, text: &str) -> ShaderReport {
    scene.skinning.shader = Some(text.into());
    renderer.draw(VIEW, scene).expect("a picture in any case");
    let report = renderer.shader_report(VIEW).expect("it has a text");
    assert_eq!(renderer.report_of_text(text), Some(report));
    report.clone()
}

/// Inserts a line at the start of `main`.
fn with_line(body: &str, line: &str) -> String {
    body.replace("void main() {\n", &format!("void main() {{\n{line}\n"))
}

fn line_of(text: &str, part: &str) -> usize {
    1 + text.lines().position(|line| line.contains(part)).expect("it is there")
}

#[test]
fn errors_have_a_line_and_the_last_working_shader_stays() {
    let Some(gl) = gl_or_skip("errors_have_a_line_and_the_last_working_shader_stays") else {
        return;
    };
    for transport in Transport::ALL {
        let mut renderer = renderer(&gl);
        let mut scene = moved();
        scene.skinning.transport = transport;
        let own = body(&renderer, &scene);
        renderer.draw(VIEW, &scene).unwrap();
        let skinned = renderer.read_pixels(VIEW).unwrap();

        let wrong = with_line(&own, "    oops;");
        let found = report(&mut renderer, &mut scene, &wrong);
        let line = Some(line_of(&wrong, "oops"));
        assert_eq!(found.findings[0].line, line, "{found:?}");
        assert!(found.findings[0].message.contains("oops"), "{found:?}");
        assert_eq!(found.drawn_with, DrawnWith::Ours);
        assert_eq!(renderer.read_pixels(VIEW).unwrap(), skinned);

        let found = report(&mut renderer, &mut scene, &own);
        assert_eq!(found, ShaderReport::default());
        assert_eq!(renderer.read_pixels(VIEW).unwrap(), skinned);

        let unskinned = own.replace(
            "clip_from_world * vec4(position_in_world, 1.0)",
            "clip_from_world * vec4(position_in_bind, 1.0)",
        );
        assert_eq!(report(&mut renderer, &mut scene, &unskinned), ShaderReport::default());
        let stored = renderer.read_pixels(VIEW).unwrap();
        assert_ne!(stored, skinned);

        let count = renderer.report_count();
        let found = report(&mut renderer, &mut scene, &with_line(&unskinned, "oops;"));
        assert_eq!(found.drawn_with, DrawnWith::LastGood);
        assert_eq!(renderer.read_pixels(VIEW).unwrap(), stored);
        assert!(renderer.report_count() > count, "the page is told");

        // After a reset the built-in shader is the last one that worked.
        scene.skinning.shader = None;
        renderer.draw(VIEW, &scene).unwrap();
        let found = report(&mut renderer, &mut scene, &wrong);
        assert_eq!(found.drawn_with, DrawnWith::Ours);
        assert_eq!(renderer.read_pixels(VIEW).unwrap(), skinned);
        renderer.destroy();
    }
    assert_no_error(&gl);
}

#[test]
fn shaders_that_cannot_draw_are_reported() {
    let Some(gl) = gl_or_skip("shaders_that_cannot_draw_are_reported") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = moved();
    let own = body(&renderer, &scene);
    let before_main = |line: &str| own.replace("void main()", &format!("{line}\nvoid main()"));
    for (text, words) in [
        (with_line(&before_main("vec3 later();"), "later();"), "later"),
        (with_line(&own, "while (true) {}"), "while"),
        (with_line(&own, "for (int i = 0; i < 9999; i++) {}"), "1024"),
        (before_main("#extension GL_foo : require"), "#extension"),
        (String::new(), "main"),
        ("void main() {".to_owned(), ""),
        (before_main("uniform sampler3D other;"), ""),
    ] {
        let found = report(&mut renderer, &mut scene, &text);
        if words.is_empty() {
            continue;
        }
        let all = format!("{found:?}");
        assert!(all.contains(words), "{words}: {all}");
        assert!(!found.findings.is_empty(), "{all}");
    }
    // A uniform whose declared type differs from ours stays unset. This matters only if the compiler
    // cannot remove the uniform, for drawing and for read-back.
    let odd = before_main("uniform vec3 size_px; uniform float ghost_color;")
        .replace("pass_on(skin);", "pass_on(skin);\n    gl_Position.x += size_px.x + ghost_color;");
    let found = report(&mut renderer, &mut scene, &odd);
    assert_eq!(found, ShaderReport::default());
    let skinned = renderer.read_skinned(&scene).unwrap();
    scene.skinning.shader = None;
    assert_eq!(renderer.read_skinned(&scene).unwrap(), skinned);
    assert_no_error(&gl);
}

#[test]
fn shaders_that_draw_nothing_are_explained() {
    let Some(gl) = gl_or_skip("shaders_that_draw_nothing_are_explained") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = moved();
    let own = body(&renderer, &scene);
    let last =
        |line: &str| own.replace("    pass_on(skin);", &format!("    pass_on(skin);\n{line}"));
    for (line, words) in [
        ("gl_Position.x += 9.0;", "outside the picture"),
        ("gl_Position = vec4(0.25, 0.0, 0.0, 1.0);", "collapsed"),
        ("gl_Position.w = -1.0;", "behind the eye"),
        ("gl_Position.y = sqrt(gl_Position.y - 9.0);", "4 of 4 positions are not numbers"),
        ("normal_in_world = normalize(normal_in_world * 0.0);", "normals are not numbers"),
    ] {
        let found = report(&mut renderer, &mut scene, &last(line));
        assert_eq!(found.findings, [], "{line}");
        assert!(found.notes.iter().any(|note| note.contains(words)), "{line}: {found:?}");
    }
    let found = report(&mut renderer, &mut scene, &own);
    assert_eq!(found, ShaderReport::default(), "ours needs no words");
    assert_no_error(&gl);
}

#[test]
fn every_small_change_compiles_in_every_shader_and_changes_the_picture() {
    let name = "every_small_change_compiles_in_every_shader_and_changes_the_picture";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut numbers = Numbers(3);
    let mut cases: Vec<_> = Transport::ALL.map(|transport| (4, Blend::Linear, transport)).into();
    cases.push((4, Blend::DualQuaternion, Transport::TexelFetch));
    cases.push((8, Blend::Linear, Transport::TextureCentres));
    for (lanes, blend, transport) in cases {
        let mut mesh = numbers.mesh(60, 3, lanes);
        mesh.triangles = (0..20).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
        let palette: Vec<Mat4> = (0..3).map(|_| numbers.matrix()).collect();
        let mut scene = scene(mesh, &palette);
        scene.blend = blend;
        scene.skinning.transport = transport;
        let own = body(&renderer, &scene);
        renderer.draw(VIEW, &scene).unwrap();
        let before = renderer.read_pixels(VIEW).unwrap();
        for change in tries() {
            let Some(text) = apply_try(&own, &own, change) else {
                // A uniform block has no count of its joints.
                let last_joint = change.label == "joints over n − 1";
                assert!(last_joint && transport == Transport::UniformBlock);
                continue;
            };
            let found = report(&mut renderer, &mut scene, &text);
            let what = format!("{}, {lanes} lanes, {blend:?}, {transport:?}", change.label);
            assert_eq!(found.findings, [], "{what}");
            // Doubling all weights does not change a normalized dual quaternion. And with a sum of 1
            // it makes no difference whether w is kept.
            let may_change = match change.label {
                "weights doubled" => blend == Blend::Linear,
                "w kept" => false,
                _ => true,
            };
            if may_change {
                assert_ne!(renderer.read_pixels(VIEW).unwrap(), before, "{what}");
            }
        }
    }
    assert_no_error(&gl);
}

#[test]
fn doubled_weights_move_a_mesh_unless_w_is_kept() {
    let Some(gl) = gl_or_skip("doubled_weights_move_a_mesh_unless_w_is_kept") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = moved();
    let own = body(&renderer, &scene);
    renderer.draw(VIEW, &scene).unwrap();
    let before = renderer.read_pixels(VIEW).unwrap();
    let with = |text: &str, label: &str| {
        let change = tries().iter().find(|change| change.label == label);
        apply_try(text, &own, change.expect("there is one")).expect("its line is there")
    };
    let doubled = with(&own, "weights doubled");
    report(&mut renderer, &mut scene, &doubled);
    assert_ne!(renderer.read_pixels(VIEW).unwrap(), before);
    report(&mut renderer, &mut scene, &with(&doubled, "w kept"));
    assert_eq!(renderer.read_pixels(VIEW).unwrap(), before);
}

#[test]
fn extreme_shaders_do_not_crash_the_compiler() {
    let name = "extreme_shaders_do_not_crash_the_compiler";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = moved();
    let own = body(&renderer, &scene);
    let branches = format!("if (uv.x > 9.0) {{ }}{}", " else if (uv.y > 9.0) { }".repeat(400));
    for line in [
        format!("float a = {}1.0{};", "(".repeat(60), ")".repeat(60)),
        format!("float a = {}uv.x;", "-(".repeat(60)) + &")".repeat(60),
        format!("float a = {}uv.x;", "- ".repeat(590)),
        format!("float a = {}1.0;", "uv.x + ".repeat(140)),
        format!("float a = {}1.0;", "uv.x > 0.0 ? 1.0 : ".repeat(60)),
        branches,
        "{".repeat(60) + &"}".repeat(60),
        "mat4 a[100000]; a[int(uv.x)] = mat4(1.0); position_in_world = a[1][0].xyz;".to_owned(),
        "for (int i = 0; i < 256; i++) for (int j = 0; j < 250; j++) position_in_world.x += uv.x;"
            .to_owned(),
    ] {
        let _ = report(&mut renderer, &mut scene, &with_line(&own, &line));
    }
    assert_eq!(report(&mut renderer, &mut scene, &own), ShaderReport::default());
    assert_no_error(&gl);
}

#[test]
fn a_thousand_shaders_leave_no_objects_behind() {
    let Some(gl) = gl_or_skip("a_thousand_shaders_leave_no_objects_behind") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = moved();
    scene.size = [32, 32];
    let own = body(&renderer, &scene);
    let mut counts = Vec::new();
    for index in 0..1000 {
        let text = match index % 4 {
            0 => with_line(&own, &format!("float n = {index}.0;")),
            1 => with_line(&own, &format!("oops{index};")),
            2 => with_line(
                &own.replace("void main()", "vec3 later();\nvoid main()"),
                &format!("later(); // {index}"),
            ),
            _ => with_line(&own, &format!("while (n > {index}) {{}}")),
        };
        let found = report(&mut renderer, &mut scene, &text);
        assert_eq!(found.findings.is_empty(), index % 4 == 0, "{found:?}");
        renderer.end_frame();
        if index % 250 == 249 {
            counts.push(live_objects(&gl));
        }
    }
    let [objects @ .., shaders] = counts[0];
    assert!(objects.iter().all(|&count| count > 0), "{counts:?}");
    assert_eq!(shaders, 0, "let go once a program is linked");
    assert!(counts[0][4] < 40, "programs are bounded: {counts:?}");
    assert_eq!(counts[1], counts[3], "{counts:?}");
    renderer.destroy();
    assert_eq!(live_objects(&gl), [0; 6]);
    assert_no_error(&gl);
}

const LESSON: &str = "+++\ntitle = \"Shader\"\nminutes = 5\nrig = \"arm\"\n+++\n\n\
    ```viewport main stage\n```\n\n## Edit it\n\n```set\nall = \"40deg\"\n```\n\n\
    Words.\n\n```shader\nlines = 24\n```\n";

#[test]
fn errors_typed_into_the_page_have_a_line_and_can_be_undone() {
    let name = "errors_typed_into_the_page_have_a_line_and_can_be_undone";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let context = gl.gl();
    let window = egui_kittest::Harness::builder()
        .with_size([1280.0, 860.0])
        .renderer(GlowTestRenderer::new(gl));
    let set = LessonSet::from_memory(&[("10-shader", LESSON, "Notes.")], "");
    let mut harness = page::open(window, Some(context), set, 1.0);
    let edited = |harness: &mut egui_kittest::Harness<'_, page::Page>| {
        let shell = harness.state_mut().shell();
        shell.notebook().document().state.shaders.values().next().cloned()
    };
    harness.click_label("weights as colour");
    harness.get_by_label("It compiles, and draws the picture.");
    let sound = edited(&mut harness).expect("a line was added");
    keep_picture("shader-weights", &harness.render().unwrap());

    harness.get_by_label("Text of the vertex shader").focus();
    harness.run();
    for letter in ["o", "o", "p", "s"] {
        let field = harness.get_by_label("Text of the vertex shader");
        field.type_text(letter);
        harness.press(egui::Key::F13);
    }
    let wrong = edited(&mut harness).expect("typed");
    let line = line_of(&wrong, "oops");
    harness.get_by_label_contains(&format!("Line {line}: "));
    harness.get_by_label_contains("your last text that did");
    keep_picture("shader-wrong", &harness.render().unwrap());

    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(edited(&mut harness), Some(sound), "one step for the word");
    harness.get_by_label("It compiles, and draws the picture.");
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(edited(&mut harness), None);
    harness.state_mut().shell().destroy();
}
