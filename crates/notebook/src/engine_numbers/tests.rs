use bindpose_diagnostic::{LineColumn, Place};

use super::*;

fn counting() -> Mat4 {
    Mat4::from_cols_array(&std::array::from_fn(|at| at as f32))
}

#[test]
fn formats_of_programs_and_debuggers_are_parsed() {
    let rows = "0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15";
    let columns = "0.f, 1.0f, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15";
    let split = |numbers: &str, open: &str, close: &str| {
        let numbers: Vec<&str> = numbers.split(", ").collect();
        let rows = numbers.chunks(4).map(|row| format!("{open}{}{close}", row.join(", ")));
        rows.collect::<Vec<_>>().join(",\n  ")
    };
    let texts = [
        format!("const float m[16] = {{ {columns} }};"),
        format!("float4x4 world = float4x4({columns}); // of frame 3"),
        format!("{{{}}}", split(rows, "{ ", " }")),
        format!("float m[4][4] = {{ {} }};", split(rows, "{", "}")),
        format!("array([{}], dtype=float32)", split(rows, "[", "]")),
        format!("glm::mat4({})", split(rows, "vec4(", ")")),
        split(rows, "[", "]").replace(',', " "),
        split(rows, "(X=", ")"),
        format!("/* column after column */ new Matrix4x4({columns})"),
    ];
    for text in texts {
        let found = read_numbers(text.as_bytes());
        assert_eq!(found, Ok(EngineNumbers::Matrices(vec![counting()])), "{text}");
    }
    let affine = Mat4::from_translation(Vec3::new(7.0, 8.0, 9.0));
    for text in ["{{1,0,0,7},{0,1,0,8},{0,0,1,9}}", "[[1,0,0,7,0,1,0,8,0,0,1,9]]"] {
        let found = read_numbers(text.as_bytes());
        assert_eq!(found, Ok(EngineNumbers::Matrices(vec![affine])), "{text}");
    }
    let found = read_numbers(b"[[[1,0,0],[0,1,0],[0,0,1],[7,8,9]]]");
    // A single matrix for row vectors cannot be told from four positions.
    assert!(matches!(found, Ok(EngineNumbers::Positions(places)) if places.len() == 4));
    let row = "[[1,0,0],[0,1,0],[0,0,1],[7,8,9]]";
    let found = read_numbers(format!("[{row},{row}]").as_bytes());
    let transposed = EngineNumbers::Matrices(vec![affine.transpose(); 2]);
    assert_eq!(found, Ok(transposed));
    let names = "vertex (x),y,z\n1,2,3\n";
    let one = EngineNumbers::Positions(vec![Vec3::new(1.0, 2.0, 3.0)]);
    assert_eq!(read_numbers(names.as_bytes()), Ok(one));
}

#[test]
fn errors_have_a_line_column_and_element() {
    for (text, line, column, words) in [
        (
            "[[1, 2, 3],\n [1, 2]]",
            2,
            7,
            "3 items in brackets, as before, found 2 in element [0][1]",
        ),
        ("{1, 2,\n x}", 2, 2, "a number, found `x`"),
        ("[1, 2", 1, 6, "`]`, found the end"),
        ("[1, 2)", 1, 6, "expected `]`, found `)`"),
        ("[1, 2]]", 1, 7, "an opening bracket"),
        ("[1, [2]]", 1, 5, "a number, as before"),
        ("[[1], 2]", 1, 7, "a bracket, as before"),
        ("[[1], [[2]]]", 1, 9, "numbers in 2 brackets, as before, found one in 3"),
        ("[[[[[[[1]]]]]]]", 1, 7, "at most 6"),
        ("[[1, 2], []]", 1, 11, "2 items"),
        ("1 2 3\n1 2", 2, 3, "3 numbers a row, as before, found 2"),
        ("1 2 3\n1 ü x", 2, 3, "a number, found `ü`"),
        ("{\"a\": [1, 2", 1, 11, "JSON"),
    ] {
        let wrong = read_numbers(text.as_bytes()).expect_err(text);
        let at = LineColumn { line, column };
        assert_eq!(wrong.at, Place::text("", at), "{text}: {wrong}");
        assert!(wrong.sentence().contains(words), "{text}: {}", wrong.sentence());
    }
    let wrong = read_numbers(b"{\"palette\":\n [[1, 2], [1, 2, 3]]}").expect_err("unequal");
    assert!(wrong.sentence().contains("found 3 in element [1] in line 2"));
    let wrong = read_numbers(b"[[1, 2],\n [1, \"x\"]]").expect_err("a word");
    let sentence = wrong.sentence();
    assert!(sentence.contains("found `\"x\"` in element [1][1] in line 2"), "{sentence}");
    let wrong = read_numbers(b"{\"a\": [1], \"b\": [2], \"c\": 3}").expect_err("two");
    assert!(wrong.sentence().contains("found 2 in an object with 3 keys"));
    let wrong = read_numbers(b"{\"joints\": [{\"name\": \"a\"}]}").expect_err("no matrix");
    assert!(wrong.sentence().contains("without `world_from_bind` in element [0]"));
    let wrong = read_numbers(b"[1, 2, 3, 4, 5]").expect_err("five");
    assert!(wrong.sentence().contains("5 numbers, 1 × 5"), "{wrong}");
}

#[test]
fn line_of_names_contains_no_number() {
    let identity = Ok(EngineNumbers::Matrices(vec![Mat4::IDENTITY]));
    for text in [
        "1.0f 0.0f 0.0f 0.0f\n0 1 0 0\n0 0 1 0\n0 0 0 1",
        "a,b,c,d\n1,0,0,0\n0,1,0,0\n0,0,1,0\n0,0,0,1",
        "# m\n;;;\n1;0;0;0\n0;1;0;0\n0;0;1;0\n0;0;0;1\n",
    ] {
        assert_eq!(read_numbers(text.as_bytes()), identity, "{text}");
    }
    for (text, line, column, cell) in [
        ("1,0,0,O\n0,1,0,0\n0,0,1,0\n0,0,0,1", 1, 7, "`O`"),
        ("a,b,c,d\nhip 1 0 0", 2, 1, "`hip`"),
        ("a b\nc d\n1 2", 2, 1, "`c`"),
        ("hip 1 0 0", 1, 1, "`hip`"),
    ] {
        let wrong = read_numbers(text.as_bytes()).expect_err(text);
        assert_eq!(wrong.at, Place::text("", LineColumn { line, column }), "{text}");
        assert!(wrong.sentence().contains(cell), "{wrong}");
    }
    let numbers = ["0"; 15].join(" ");
    for none in ["nan", "-nan", "-nan(ind)", "1.#QNAN", "null"] {
        let read = read_numbers(format!("{numbers} {none}\n{numbers} 1").as_bytes());
        let Ok(EngineNumbers::Matrices(read)) = read else {
            panic!("{none}");
        };
        assert!(read.len() == 2 && read[0].w_axis.w.is_nan(), "{none}");
    }
    assert_eq!(shaped::parse_number("-1.#INF"), Some(f32::NEG_INFINITY));
}

#[test]
fn every_format_limits_the_number_of_numbers() {
    let npy = bindpose_gltf::write_npy(&[3, 3], &[0.0; 9]);
    let texts: [&[u8]; 5] = [
        b"0 0 0\n0 0 0\n0 0 0",
        b"[[0, 0, 0], [0, 0, 0], [0, 0, 0]]",
        b"{\"positions\": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]}",
        b"{0, 0, 0}, {0, 0, 0}, {0, 0, 0}",
        &npy,
    ];
    for text in texts {
        let Ok(EngineNumbers::Positions(read)) = parse(text, 9) else {
            panic!("nine numbers");
        };
        assert_eq!(read, [Vec3::ZERO; 3]);
        let wrong = parse(text, 8).expect_err("nine");
        assert!(wrong.sentence().contains("at most 8 numbers"), "{wrong}");
    }
}

#[test]
fn other_arrays_of_an_export_are_skipped() {
    let matrix = "[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]";
    let text = format!(
        "{{\"names\": [\"a\"], \"joints\": [{{\"at\": [0], \"world_from_bind\": {matrix}}}], \
         \"more\": [[1], [2, 3]]}}"
    );
    let one = EngineNumbers::Matrices(vec![Mat4::IDENTITY]);
    assert_eq!(read_numbers(text.as_bytes()), Ok(one));
}

#[test]
fn tables_are_parsed_by_column_names() {
    let csv = "a name,r3c3,r0c0,r1c0,r2c0,r3c0,r0c1,r1c1,r2c1,r3c1,r0c2,r1c2,r2c2,r3c2,r0c3,r1c3,r2c3\n\
               \"one, or \"\"two\"\"\nlines\",1,1,0,0,0,0,1,0,0,0,0,1,0,7,8,9\n";
    let moved = Mat4::from_translation(Vec3::new(7.0, 8.0, 9.0));
    assert_eq!(read_numbers(csv.as_bytes()), Ok(EngineNumbers::Matrices(vec![moved])));
    let wrong = read_numbers(csv.replace(",9\n", ",x\n").as_bytes()).unwrap_err();
    assert!(wrong.sentence().contains("found `x` in cell 17"), "{wrong}");
    let csv = "vertex,x,y,z,normal_x\n0,1,2,3,0\n";
    let place = EngineNumbers::Positions(vec![Vec3::new(1.0, 2.0, 3.0)]);
    assert_eq!(read_numbers(csv.as_bytes()), Ok(place));
    let other = "joint,matrix,r0c0,r1c0,r2c0,r3c0,r0c1,r1c1,r2c1,r3c1,r0c2,r1c2,r2c2,r3c2,r0c3,r1c3,r2c3,r3c3\n\
                 0,world_from_joint,1,0,0,0,0,1,0,0,0,0,1,0,7,8,9,1\n";
    let wrong = read_numbers(other.as_bytes()).unwrap_err();
    assert!(wrong.sentence().contains("`world_from_bind`, found none"), "{wrong}");
}
