use super::*;

fn turns_of_text(source: &str) -> Result<u64, Vec<ShaderFinding>> {
    count_turns(&tokenize(source))
}

fn turns_of_main(body: &str) -> Result<u64, Vec<ShaderFinding>> {
    turns_of_text(&format!("void main() {{\n{body}\n}}"))
}

#[test]
fn nested_loops_are_counted() {
    for (body, turns) in [
        ("gl_Position = vec4(0.0);", 0),
        ("for (int i = 0; i < 8; i++) { a += 1.0; }", 8),
        ("for (int i = 0; i < 8; ++i) a += 1.0; b = c;", 8),
        ("for (uint i = 8u; i > 0u; i -= 2u) {}", 4),
        ("for (int i = -3; i <= 3; i += 2) {}", 4),
        ("for (int i = 0; i != 10; i += 5) {}", 2),
        ("for (int i = 9; i < 3; i++) {}", 0),
        ("for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) a += b[j];", 16),
        ("for (int i = 0; i < 4; i++) { if (i > 2) { break; } else { a = i; } } b = 1;", 4),
        ("for (int i = 0; i < 4; i++) if (a) b(); else for (int j = 0; j < 3; j++) c();", 16),
        ("for (int i = 0; i < 4; i++) a = float(i) + b[(i)];", 4),
        ("for (uint i = 4294967290u; i < 4294967295u; i++) {}", 5),
        ("for (int i = 2147483640; i < 2147483647; i++) {}", 7),
        (
            "for (int i = 0; i < 2; i++) if (a) { b(); } else { c(); } for (int i = 0; i < 5; i++) {}",
            7,
        ),
    ] {
        assert_eq!(turns_of_main(body), Ok(turns), "{body}");
    }
}

#[test]
fn loops_bounded_by_names_are_rejected() {
    let body = "void main() { for (int i = 0; i < N; i++) {} }";
    for named in ["const int N = 4;", "#define N 4", "uniform int N;"] {
        assert!(turns_of_text(&format!("{named}\n{body}")).is_err(), "{named}");
    }
}

#[test]
fn calls_count_the_called_function() {
    let source = "float f() { for (int i = 0; i < 10; i++) {} return 1.0; }\n\
        float g() { return f() + f(); }\n\
        void main() { for (int i = 0; i < 3; i++) { a = g(); } }";
    assert_eq!(turns_of_text(source), Ok(3 * (1 + 1 + 2 * 11)));
}

#[test]
fn too_many_nested_calls_and_loops_are_rejected() {
    let mut source = vec!["float f0() { return 1.0; }".to_owned()];
    for n in 1..40 {
        let m = n - 1;
        source.push(format!("float f{n}() {{ return f{m}() + f{m}(); }}"));
    }
    source.push("void main() { float a = f39(); }".to_owned());
    let findings = turns_of_text(&source.join("\n")).unwrap_err();
    assert!(findings[0].message.contains("each vertex"), "{findings:?}");
    let nested = "for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) {}";
    assert!(turns_of_main(nested).is_err());
}

#[test]
fn uncountable_loops_are_rejected_with_their_line() {
    for (body, word) in [
        ("while (true) {}", "while"),
        ("do { a = 1; } while (a > 0);", "do"),
        ("for (;;) {}", "counted"),
        ("for () {}", "must count"),
        ("for int i = 0; i < 8; i++ {}", "must count"),
        ("for", "must count"),
        ("for (int i = 0; i < n; i++) {}", "counted"),
        ("for (int i = 0; true; i++) {}", "counted"),
        ("for (float t = 0.0; t < 1.0; t += 0.1) {}", "counted"),
        ("for (int i = 0, j = 0; i < 8; i++) {}", "counted"),
        ("for (int i = 0; i < 8; j++) {}", "counted"),
        ("for (int i = 0; i < 8; i--) {}", "never ends"),
        ("for (int i = 0; i < 8; i += 0) {}", "never ends"),
        ("for (int i = 0; i < 2000; i++) {}", "1024"),
        ("for (uint i = 3u; i >= 0u; i--) {}", "never below 0"),
        ("for (uint i = 7u; i > 0u; i -= 2u) {}", "never below 0"),
        ("for (int i = 0; i < 8; i++) { i = 0; }", "“i”"),
        ("for (int i = 0; i < 8; i++) { (i) = 0; }", "“i”"),
        ("for (int i = 0; i < 8; i++) { ((i))++; }", "“i”"),
        ("for (int i = 0; i < 8; i++) { --(i); }", "“i”"),
        ("for (int i = 0; i < 8; i++) { (i) <<= 1; }", "“i”"),
        ("for (int i = 0; i < 8; i++) if (a) b(); else i = 0;", "“i”"),
        ("for (int i = 0; i < 8; i++) if (a) { b(); } else if (c) d(); else i = 0;", "“i”"),
        ("for (int i = 0; i < 8; i++) { a = b[i--]; }", "“i”"),
        ("for (int i = 0; i < 8; i++) { i >>= 1; }", "“i”"),
        ("for (int i = 0; i < 8; i++) { i %= 2; }", "“i”"),
    ] {
        let findings = turns_of_main(body).unwrap_err();
        assert_eq!(findings[0].line, Some(2), "{body}");
        assert!(findings[0].message.contains(word), "{body}: {findings:?}");
    }
    let handed = "void f(inout int a) { a = 0; }\n\
        void main() { for (int i = 0; i < 8; i++) { f(i); } }";
    assert!(turns_of_text(handed).is_err());
}

#[test]
fn counters_that_wrap_around_are_rejected() {
    for header in [
        "uint i = 4294967290u; i <= 4294967295u; i++",
        "uint i = 0u; i < -1u; i++",
        "uint i = -3u; i != 0u; i++",
        "uint i = 2u; i < 4294967295u; i += 4294967294u",
        "int i = 2147483640; i <= 2147483647; i++",
        "int i = -2147483640; i >= -2147483648; i--",
        "int i = 2147483640; i < 2147483650; i++",
        "int i = 4294967295; i > 4294967290; i--",
    ] {
        let findings = turns_of_main(&format!("for ({header}) {{}}")).unwrap_err();
        assert!(findings[0].message.contains("can hold"), "{header}: {findings:?}");
    }
    // Octal, and beyond the range of negation.
    for number in ["-010", "-9223372036854775808"] {
        let body = format!("for (int i = 0; i != {number}; i += 5) {{}}");
        assert!(turns_of_main(&body).is_err(), "{number}");
    }
}

#[test]
fn loops_outside_functions_are_rejected() {
    let main = "void main() { a = f(1.0); }";
    for kind in ["float[2]", "float[2][3]", "struct S { float a; }"] {
        let text = |body: &str| format!("{kind} f(float x) {{ {body} }}\n{main}");
        assert_eq!(turns_of_text(&text("for (int i = 0; i < 8; i++) {}")), Ok(9), "{kind}");
        let findings = turns_of_text(&text("while (true) {}")).unwrap_err();
        assert!(findings[0].message.contains("while"), "{findings:?}");
    }
    for elsewhere in ["while (true) {}", "for (int i = 0; i < 8; i++) {}", "{ do {} }"] {
        for text in [format!("{main}\n{elsewhere}"), format!("{elsewhere}\n{main}")] {
            let findings = turns_of_text(&text).unwrap_err();
            assert!(
                findings[0].message.contains("must stand in a function"),
                "{text}: {findings:?}"
            );
        }
    }
}

#[test]
fn incomplete_text_is_accepted() {
    for body in
        ["for", "for (", "for (int i = 0; i < 8; i++", "for (int i = 0; i < 8; i++)", "{ {", "} }"]
    {
        let _ = turns_of_main(body);
        let _ = turns_of_text(body);
    }
    assert_eq!(
        turns_of_text("float f() { return g(); } float g() { return f(); } void main() {}"),
        Ok(0)
    );
}

#[test]
fn signed_counter_with_unsigned_bound_is_rejected() {
    for body in ["for (int i = 3; i >= 0u; i--) {}", "for (int i = 0; i < 8; i += 1u) {}"] {
        assert!(turns_of_main(body).is_err(), "{body}");
    }
}

#[test]
fn tokens_have_lines_and_comments_are_skipped() {
    let source = "a += .5; // b\n/* c\n d */ if (i <= 10u)\n#define N 4\nx";
    let found: Vec<(&str, usize)> = tokenize(source).iter().map(|t| (t.text, t.line)).collect();
    assert_eq!(
        found,
        [
            ("a", 1),
            ("+=", 1),
            (".5", 1),
            (";", 1),
            ("if", 3),
            ("(", 3),
            ("i", 3),
            ("<=", 3),
            ("10u", 3),
            (")", 3),
            ("#define N 4", 4),
            ("x", 5),
        ]
    );
}

#[test]
fn tokenizer_accepts_any_text() {
    for source in ["", "/*", "//", "é→", "#", "0..", "\\\n", "/**", "\u{2212}1"] {
        let _ = tokenize(source);
    }
}
