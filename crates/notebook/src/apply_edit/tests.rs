use bindpose_skin::{NormalRule, SkinStage};

use super::*;
use crate::glsl::ShaderBlending;
use crate::test_sample::{lesson, rig};

fn applied(document: &Document, edit: &Edit) -> Result<Document, EditError> {
    let mut next = document.clone();
    apply(&mut next, edit, &lesson(), &rig()).map(|()| next)
}

fn param(name: &str, value: f64) -> Edit {
    Edit::param(name, value)
}

#[test]
fn texels_reset_one_by_one() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    let texel = |column, value| Edit::Texel { joint: JointIndex(1), column, part: 2, value };
    let one = applied(&begin, &texel(0, 0.5)).expect("a texel");
    let two = applied(&one, &texel(3, 7.0)).expect("a texel");
    let back = applied(&two, &Edit::Reset(EditTarget::Texel(JointIndex(1), 3))).expect("a texel");
    assert_eq!(back, one);
    let back = applied(&back, &Edit::Reset(EditTarget::Texel(JointIndex(1), 0))).expect("a texel");
    assert_eq!(back, begin);
    assert!(applied(&begin, &texel(4, 0.0)).is_err());
    assert!(applied(&begin, &texel(0, f32::NAN)).is_err());
    let far = Edit::Reset(EditTarget::Texel(JointIndex(99), 9));
    assert_eq!(applied(&two, &far).expect("nothing"), two);
}

#[test]
fn nan_and_absurd_numbers_are_rejected() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    for value in [f64::NAN, f64::INFINITY, 1e300, -1e4] {
        let refused = applied(&begin, &param("nod", value)).unwrap_err();
        assert!(refused.to_string().contains("nod"), "{refused}");
    }
    let cell = |value| Edit::InverseBindCell { joint: JointIndex(1), row: 0, column: 3, value };
    assert!(applied(&begin, &cell(f32::NAN)).is_err());
    assert!(applied(&begin, &cell(1e30)).is_err());
    assert!(applied(&begin, &param("nose", 1.0)).is_err(), "unknown name");
    let weight = Edit::Weight { vertex: 99, lane: 0, weight: 0.5 };
    assert!(applied(&begin, &weight).is_err(), "no such vertex");
}

#[test]
fn default_values_are_not_stored() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    let turned = applied(&begin, &param("all", 0.3)).unwrap();
    assert_eq!(turned.state.params["nod"], 0.3);
    assert_eq!(applied(&turned, &param("nod", 0.0)).unwrap(), begin);

    let edit = |value| Edit::InverseBindCell { joint: JointIndex(1), row: 1, column: 3, value };
    let edited = applied(&begin, &edit(-1.0)).unwrap();
    assert_eq!(edited.state.inverse_binds.len(), 1);
    assert_eq!(applied(&edited, &edit(-2.0)).unwrap(), begin);
}

#[test]
fn reset_restores_values_of_the_step() {
    let second = step_document(&lesson(), 1, Some(&rig()));
    assert_eq!(second.state.params["nod"], 0.5);
    let turned = applied(&second, &param("nod", 1.0)).unwrap();
    assert_eq!(applied(&turned, &Edit::reset_param("nod")).unwrap(), second);
    assert_eq!(applied(&turned, &Edit::ResetStep).unwrap(), second);
}

#[test]
fn normalizing_skips_normalized_vertices() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    let heavy = applied(&begin, &Edit::Weight { vertex: 1, lane: 0, weight: 1.5 }).unwrap();
    let normal = applied(&heavy, &Edit::NormalizeWeights(None)).unwrap();
    assert_eq!(normal.state.weights.len(), 1, "only the vertex that needed it");
    assert_eq!(
        normal.state.weights.get(1).copied().unwrap(),
        [0.75, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into()
    );
}

#[test]
fn lane_joint_is_set_and_reset() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    let lane = |lane, joint| Edit::LaneJoint { vertex: 0, lane, joint: JointIndex(joint) };
    let put = applied(&begin, &lane(2, 1)).unwrap();
    let weight = Edit::Weight { vertex: 0, lane: 2, weight: 0.25 };
    let weighed = applied(&put, &weight).unwrap();
    let influences = crate::Derived::edited_influences(&weighed, &rig())[0];
    let used: Vec<_> = influences.used().collect();
    assert_eq!(used, [(0, JointIndex(1), 1.0), (2, JointIndex(1), 0.25)]);
    let normal = applied(&weighed, &Edit::NormalizeWeights(Some(0))).unwrap();
    assert_eq!(
        normal.state.weights.get(0).unwrap().joints,
        put.state.weights.get(0).unwrap().joints
    );

    assert_eq!(applied(&put, &lane(2, 0)).unwrap(), begin, "no trace");
    assert_eq!(applied(&weighed, &Edit::Reset(EditTarget::Weights(Some(0)))).unwrap(), begin);
    assert!(applied(&begin, &lane(2, 2)).is_err(), "no such joint");
    assert!(applied(&begin, &lane(8, 1)).is_err(), "no such lane");
}

#[test]
fn lesson_parameters_are_clamped_and_rounded() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    assert_eq!(applied(&begin, &param("vec4s", 200.4)).unwrap().state.params["vec4s"], 200.0);
    assert_eq!(applied(&begin, &param("vec4s", 3.0)).unwrap().state.params["vec4s"], 16.0);
}

#[test]
fn solution_is_applied_atomically_and_restored() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    let settings = vec![Setting::Param("nod".to_owned(), 0.4)];
    let solve = |vertex| {
        let weights = [0.25, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        Edit::solve(&settings, &[DataEdit::Weights(vertex, weights)])
    };

    let solved = applied(&begin, &solve(1)).unwrap();
    assert_eq!(solved.state.params["nod"], 0.4);
    assert_eq!(solved.state.weights.get(1).unwrap().weights[..2], [0.25, 0.75]);
    let back = Edit::Restore(Box::new(begin.clone()));
    assert_eq!(applied(&solved, &back).unwrap(), begin);

    let mut untouched = begin.clone();
    let refused = apply(&mut untouched, &solve(3), &lesson(), &rig());
    assert!(refused.unwrap_err().to_string().contains("vertex 3"));
    assert_eq!(untouched, begin);

    let elsewhere = step_document(&lesson(), 1, Some(&rig()));
    assert!(applied(&elsewhere, &back).is_err(), "of another step");
}

#[test]
fn selection_must_exist() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    let last = Edit::set(Setting::Vertex(2));
    assert_eq!(applied(&begin, &last).unwrap().state.vertex, 2);
    let beyond = Edit::Settings(vec![
        Setting::Param("nod".to_owned(), 0.4),
        Setting::Joint(JointIndex(2).into()),
    ]);
    let mut untouched = begin.clone();
    let refused = apply(&mut untouched, &beyond, &lesson(), &rig()).unwrap_err();
    assert!(refused.to_string().contains("joint 2"), "{refused}");
    assert_eq!(untouched, begin, "all of it or nothing");
}

#[test]
fn reset_settings_restores_values_of_the_step() {
    let second = step_document(&lesson(), 1, Some(&rig()));
    let settings = vec![
        Setting::Param("nod".to_owned(), 1.25),
        Setting::Stage(bindpose_skin::SkinStage::Bind),
    ];
    let set = applied(&second, &Edit::Settings(settings.clone())).unwrap();
    assert_ne!(set, second);
    let reset = applied(&set, &Edit::ResetSettings(settings)).unwrap();
    assert_eq!(reset, second, "the nod of the step, not of the rig");
    let all = vec![Setting::Param("all".to_owned(), 0.1)];
    let set = applied(&second, &Edit::Settings(all.clone())).unwrap();
    assert_eq!(applied(&set, &Edit::ResetSettings(all)).unwrap(), second);
}

#[test]
fn shader_limit_counts_characters() {
    let begin = step_document(&lesson(), 0, Some(&rig()));
    let kind = ShaderKind::from_key("texel-fetch.linear.inverse-transpose").expect("a kind");
    let shader = |length| Edit::Shader { kind, text: "é".repeat(length), typed: true };
    assert!(applied(&begin, &shader(MAX_SHADER_CHARS)).is_ok());
    let refused = applied(&begin, &shader(MAX_SHADER_CHARS + 1)).unwrap_err();
    assert!(refused.to_string().contains("this one has 20001."), "{refused}");
}

const HEAD: JointIndex = JointIndex(1);

fn label(edit: &Edit) -> String {
    edit_label(edit, &lesson(), &rig())
}

#[test]
fn every_edit_has_a_label() {
    let nod = || Setting::Param("nod".to_owned(), 0.5);
    let stage = || Setting::Stage(SkinStage::Posed);
    let kind = ShaderKind {
        transport: bindpose_lesson::Transport::TexelFetch,
        blending: ShaderBlending::Linear,
        normals: NormalRule::InverseTranspose,
        at_edges: false,
    };
    let aim = || "aim".to_owned();
    let which = || "which".to_owned();
    let bytes = |length| EditTarget::Bytes { buffer: 0, offset: 28, length };
    for (target, expected) in [
        (EditTarget::Weights(Some(4)), "reset of the weights of v4"),
        (EditTarget::Weights(None), "reset of all weights"),
        (EditTarget::InverseBind(Some(HEAD)), "reset of the inverse bind matrix of head"),
        (EditTarget::InverseBind(None), "reset of all inverse bind matrices"),
        (EditTarget::Texel(HEAD, 3), "reset of texel 3 of head"),
        (EditTarget::Texels(Some(HEAD)), "reset of the texels of head"),
        (EditTarget::Texels(None), "reset of all texels"),
        (EditTarget::JointMove(Some(HEAD)), "reset of what is done to head by hand"),
        (EditTarget::JointMove(None), "reset of what is done to joints by hand"),
        (EditTarget::Shader(kind), "reset of the vertex shader"),
        (bytes(1), "reset of byte 28 of the file"),
        (EditTarget::AllBytes, "reset of all bytes"),
        (EditTarget::Text(aim()), "reset of the formula"),
        (EditTarget::File(aim()), "reset of the numbers of an engine"),
        (EditTarget::Draw(aim()), "numbers of the exercise"),
        (EditTarget::Prediction(aim()), "forgetting the guess"),
        (EditTarget::Answer(which()), "forgetting the answer"),
        (EditTarget::Chain(which()), "reset of the product"),
    ] {
        assert_eq!(label(&Edit::Reset(target)), expected);
    }
    let bytes =
        |count| Edit::data(DataEdit::Bytes { buffer: 0, offset: 28, bytes: vec![0; count] });
    for (edit, expected) in [
        (Edit::param("nod", 0.5), "nod"),
        (Edit::reset_param("vec4s"), "reset of vec4 uniforms"),
        (Edit::PlayTo { time_secs: 1.0, begins: true }, "playing"),
        (Edit::Weight { vertex: 4, lane: 0, weight: 0.5 }, "weight of v4"),
        (Edit::LaneJoint { vertex: 4, lane: 2, joint: HEAD }, "joints of v4"),
        (
            Edit::InverseBindCell { joint: HEAD, row: 0, column: 3, value: 1.0 },
            "inverse bind matrix of head",
        ),
        (Edit::Texel { joint: HEAD, column: 3, part: 0, value: 1.0 }, "texel 3 of head"),
        (Edit::Shader { kind, text: "void main() {}".to_owned(), typed: true }, "vertex shader"),
        (Edit::Text { cell: aim(), text: "1".to_owned(), typed: true }, "formula"),
        (Edit::Draw(aim(), 1), "numbers of the exercise"),
        (Edit::Predict(aim(), [0.0; 3]), "guess"),
        (Edit::Answer(which(), crate::Answer::default()), "answer"),
        (Edit::NormalizeWeights(Some(4)), "normalizing the weights of v4"),
        (Edit::NormalizeWeights(None), "normalizing all weights"),
        (
            Edit::data(DataEdit::InverseBind(JointIndex(7).into(), [0.0; 16])),
            "inverse bind matrix of joint 7",
        ),
        (bytes(1), "byte 28 of the file"),
        (bytes(4), "4 bytes of the file from 28"),
        (Edit::KeepGuess(aim()), "keeping the guess"),
        (Edit::Reveal(aim()), "revealing the answer"),
        (Edit::Settings(vec![stage()]), "stage"),
        (Edit::Settings(vec![nod(), stage(), stage()]), "nod and 2 more"),
        (Edit::ResetSettings(vec![stage()]), "reset of stage"),
        (Edit::Solve(vec![nod()]), "showing the solution"),
        (Edit::Restore(Box::default()), "going back to your own values"),
        (Edit::ResetStep, "reset of the step"),
        (Edit::Recall(PageSnapshot::B, Box::default()), "going to snapshot B"),
        (Edit::Recall(PageSnapshot::Before, Box::default()), "going back from the snapshots"),
    ] {
        assert_eq!(label(&edit), expected);
    }
}
