use super::*;

fn plot(body: &str) -> String {
    format!("```plot\n{body}\n```")
}

#[test]
fn sound_paths_and_tables_have_no_findings() {
    for body in [
        "along = [[0, 3]]\nlines = [{ label = \"h\", expr = \"y(here) + weight(here, 1)\" }]",
        "along = [3, 1]\nmeasure = \"number\"\nlines = [{ label = \"h\", expr = \"1/x(here)\" }]",
        "data = [[\"t\", \"h\"], [0, 1], [1, \"\"]]\nlines = [{ label = \"h\", column = \"h\", points = true }, { label = \"f\", expr = \"2*here\" }]",
        "sweep = \"gain\"\nfrom = 0\nto = 1\nx = \"t\"\ndata = [[\"h\", \"t\"], [0, 1]]\nlines = [{ label = \"h\", column = \"h\" }, { label = \"f\", expr = \"gain\" }]",
    ] {
        let found = findings_of(&page_of(&plot(body)));
        assert_eq!(found, [], "{body}");
    }
}

#[test]
fn column_in_radians_along_an_axis_in_degrees_is_reported() {
    let with = |rows: &str| {
        plot(&format!(
            "sweep = \"b1\"\nfrom = 0\nto = \"90deg\"\ndata = [[\"t\", \"h\"], {rows}]\n\
             lines = [{{ label = \"h\", column = \"h\" }}]"
        ))
    };
    super::expect(
        &with("[0, 1], [0.8, 3], [1.57, 2]"),
        (17, 8),
        "the column `t` is read in degrees",
        "0 to 1.57, look like radians",
    );
    for rows in ["[0, 1], [45, 3], [90, 2]", "[0, 1], [6, 3]", "[1, 1]"] {
        assert_eq!(findings_of(&page_of(&with(rows))), [], "{rows}");
    }
}

#[test]
fn unknown_names_in_plots_are_reported_at_their_position() {
    let expect = |body: &str, place, message: &str, help: &str| {
        super::expect(&plot(body), place, message, help);
    };
    let line = "lines = [{ label = \"h\", expr = \"y(here)\" }]";
    expect(
        "data = \"gone.csv\"\nlines = [{ label = \"h\", column = \"h\" }]",
        (14, 8),
        "no file",
        "the folder of the lesson",
    );
    expect(&format!("along = [[0, 9]]\n{line}"), (14, 10), "no vertex 9", "4 vertices");
    expect(&format!("along = [0]\n{line}"), (14, 9), "2 to 10000 vertices", "[[49, 72]]");
    expect(
        &format!("along = [[0, 1, 2]]\n{line}"),
        (14, 10),
        "the number of a vertex",
        "[[49, 72]]",
    );
    expect(
        &format!("sweep = \"gain\"\nfrom = 0\nto = 1\n{line}"),
        (17, 35),
        "no parameter `here`",
        "",
    );
    expect(
        &format!("sweep = \"gain\"\nalong = [0, 1]\n{line}"),
        (15, 9),
        "one horizontal axis",
        "leave one",
    );
    expect(&format!("sweep = \"gain\"\n{line}"), (14, 9), "`from` and `to`", "add from = 0");
    expect(line, (14, 9), "along the horizontal axis", "along = ");
    let both = "along = [0, 1]\nlines = [{ label = \"h\", expr = \"1\", column = \"h\" }]";
    expect(both, (15, 10), "a formula or a column", "one of the two");
    let none = "along = [0, 1]\nlines = [{ label = \"h\", column = \"h\" }]";
    expect(none, (15, 10), "data with the column", "measured.csv");
    let data = "data = [[\"t\", \"h\"], [0, 1]]";
    let other = format!("{data}\nlines = [{{ label = \"h\", column = \"hh\" }}]");
    expect(&other, (15, 34), "no column `hh`", "`h`");
    let other = format!("{data}\nx = \"T\"\nlines = [{{ label = \"h\", column = \"h\" }}]");
    expect(&other, (15, 5), "no column `T`", "`t`");
    for (data, message) in [
        ("\"../secret.csv\"", "in the lesson's folder"),
        ("\"/etc/passwd.csv\"", "in the lesson's folder"),
        ("\"notes.md\"", "in the lesson's folder"),
        ("[[\"t\"]]", "a row of names"),
        ("[[1], [2]]", "a row of names"),
        ("[[\"t\"], [1, 2]]", "1 numbers in row 1"),
        ("[[\"t\"], [1], [\"a\"]]", "a number in row 2"),
        ("[[\"t\", \"t\"], [1, 2]]", "another name"),
        ("7", "or rows"),
    ] {
        let body = format!("data = {data}\nlines = [{{ label = \"h\", column = \"h\" }}]");
        expect(&body, (14, 8), message, "");
    }
}
