//! A class with a room and clients, without a network.

use std::sync::Arc;

use super::*;

const SECRET: u128 = 7;

struct Class {
    room: Room,
    teacher: TeacherClient,
    seen: SyncCursor,
}

impl Class {
    fn new() -> Self {
        let code = RoomCode::from_random(1);
        let secret = TeacherSecret::from_random(SECRET);
        let teacher = TeacherClient::new(code.clone(), secret.clone());
        Self { room: Room::new(code, secret), teacher, seen: SyncCursor::default() }
    }

    fn student(&mut self, key: u128) -> Student {
        let key = StudentKey::from_random(key);
        let code = self.room.code().clone();
        let client = StudentClient::new(code, key.clone(), StudentRecord::default());
        let mut student = Student { key, client, seen: SyncCursor::default() };
        student.connect(self);
        student
    }

    /// Exchanges all pending messages between the room and its clients, as JSON.
    fn exchange(&mut self, students: &mut [&mut Student]) {
        if let Some(ClientMessage::State { state }) = self.teacher.take_unsaid() {
            self.room.put_state(through_json(&state)).unwrap();
        }
        for student in students {
            match student.client.take_unsaid() {
                Some(ClientMessage::Record { record }) => {
                    self.room.put_record(&student.key, through_json(&record)).unwrap();
                }
                Some(ClientMessage::Page { page, wanders, version }) => {
                    self.room.put_page(&student.key, page, wanders, version).unwrap();
                }
                _ => {}
            }
            while let Some(told) = self.room.news_for_student(&mut student.seen) {
                student.client.hear(through_json(&told));
            }
        }
        while let Some(told) = self.room.news_for_teacher(&mut self.seen) {
            self.teacher.hear(through_json(&told));
        }
    }
}

struct Student {
    key: StudentKey,
    client: StudentClient,
    seen: SyncCursor,
}

impl Student {
    fn connect(&mut self, class: &mut Class) {
        let ClientMessage::Join { code, key, record } = through_json(&self.client.join()) else {
            panic!("the first message is not `Join`");
        };
        class.room.join(&code, &key, record).unwrap();
        self.seen = SyncCursor::default();
    }
}

fn through_json<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn question() -> QuestionAddress {
    QuestionAddress { lesson: "bone-grid".into(), cell: "ask-1".into(), draw: 0 }
}

#[test]
fn a_late_student_opens_the_page_of_the_class_and_follows_its_steps() {
    let mut class = Class::new();
    class.teacher.is_at("bindpose://bone-grid/first?b0=1");
    class.exchange(&mut []);
    let mut late = class.student(1);
    class.exchange(&mut [&mut late]);
    assert_eq!(late.client.take_place().as_deref(), Some("bindpose://bone-grid/first"));
    late.client.is_at("bindpose://bone-grid/first", false);
    assert_eq!(late.client.take_place(), None);
    // Values are not followed, only steps.
    late.client.is_at("bindpose://bone-grid/first?b0=2", true);
    class.teacher.is_at("bindpose://bone-grid/first?b0=3");
    class.exchange(&mut [&mut late]);
    assert_eq!(late.client.take_place(), None);
    assert!(late.client.follows());
    class.teacher.is_at("bindpose://bone-grid/second");
    class.exchange(&mut [&mut late]);
    assert_eq!(late.client.take_place().as_deref(), Some("bindpose://bone-grid/second"));
    // The teacher sees the page of every student.
    late.client.is_at("bindpose://bone-grid/second", false);
    class.exchange(&mut [&mut late]);
    let pages: Vec<_> = class.teacher.students().map(|it| it.record.page.clone()).collect();
    assert_eq!(pages, ["bindpose://bone-grid/second"]);
}

#[test]
fn a_student_on_the_step_of_the_class_is_not_sent_there_again() {
    let mut class = Class::new();
    let mut student = class.student(1);
    student.client.is_at("bindpose://bone-grid/first?b0=2", false);
    class.teacher.is_at("bindpose://bone-grid/first");
    class.exchange(&mut [&mut student]);
    assert_eq!(student.client.take_place(), None, "it is there, with values of its own");
}

#[test]
fn a_wandering_student_is_left_alone_until_called_or_returning() {
    let mut class = Class::new();
    let mut student = class.student(1);
    class.teacher.let_follow(FollowMode::Values);
    class.teacher.is_at("bindpose://a/one?x=1");
    class.exchange(&mut [&mut student]);
    assert_eq!(student.client.take_place().as_deref(), Some("bindpose://a/one?x=1"));
    student.client.is_at("bindpose://a/one?x=1", false);
    student.client.is_at("bindpose://a/one?x=5", true);
    class.teacher.is_at("bindpose://a/one?x=2");
    class.exchange(&mut [&mut student]);
    assert_eq!(student.client.take_place(), None);
    assert!(class.teacher.students().next().unwrap().record.wanders);
    student.client.go_back();
    assert_eq!(student.client.take_place().as_deref(), Some("bindpose://a/one?x=2"));
    student.client.is_at("bindpose://a/one?x=2", false);

    class.teacher.let_follow(FollowMode::Nothing);
    student.client.is_at("bindpose://b/two", true);
    class.exchange(&mut [&mut student]);
    assert_eq!(student.client.take_place(), None);
    class.teacher.call();
    class.exchange(&mut [&mut student]);
    assert_eq!(student.client.take_place().as_deref(), Some("bindpose://a/one"));
    student.client.is_at("bindpose://a/one", false);
    assert_eq!(student.client.take_place(), None, "a call is followed once");
}

#[test]
fn a_sent_page_is_opened_once_and_not_by_students_who_join_later() {
    let mut class = Class::new();
    let mut early = class.student(1);
    class.exchange(&mut [&mut early]);
    class.teacher.send("bindpose://c/three?x=9");
    class.exchange(&mut [&mut early]);
    assert_eq!(early.client.take_place().as_deref(), Some("bindpose://c/three?x=9"));
    assert_eq!(early.client.take_place(), None);
    let mut late = class.student(2);
    class.exchange(&mut [&mut late]);
    assert_eq!(late.client.take_place(), None);
}

#[test]
fn a_question_is_answered_twice_and_every_answer_counts_once() {
    let mut class = Class::new();
    let mut students: Vec<Student> = (0..5).map(|key| class.student(key)).collect();
    let exchange = |class: &mut Class, students: &mut [Student]| {
        class.exchange(&mut students.iter_mut().collect::<Vec<_>>());
    };
    exchange(&mut class, &mut students);
    assert!(!students[0].client.answer(&question(), "a,given"), "nothing was asked");
    class.teacher.ask(question());
    exchange(&mut class, &mut students);
    for (student, answer) in students.iter_mut().zip(["a", "a", "b", "b"]) {
        assert!(student.client.answer(&question(), answer));
    }
    assert!(students[3].client.answer(&question(), "a"), "another replaces it");
    exchange(&mut class, &mut students);
    // Reconnecting does not count answers again.
    for _ in 0..100 {
        for student in &mut students {
            class.room.leave(&student.key);
            student.connect(&mut class);
        }
        exchange(&mut class, &mut students);
    }
    let tally = class.teacher.tally(&question());
    assert_eq!(tally.counts(Round::First), [("a", 3), ("b", 1)].into());
    let silent: Vec<_> = tally.missing(Round::First).collect();
    assert_eq!(silent, [StudentId(4)]);

    class.teacher.go_on();
    exchange(&mut class, &mut students);
    assert!(!students[0].client.answer(&question(), "b"), "students discuss");
    class.teacher.go_on();
    exchange(&mut class, &mut students);
    assert!(students[0].client.answer(&question(), "b"));
    assert_eq!(students[0].client.handed_in(), Some("b"));
    assert!(students[2].client.answer(&question(), "b"));
    exchange(&mut class, &mut students);
    class.teacher.lock(true);
    exchange(&mut class, &mut students);
    assert!(!students[1].client.answer(&question(), "b"), "it is locked");
    let tally = class.teacher.tally(&question());
    assert_eq!(tally.shifts(), [(("a", "b"), 1), (("b", "b"), 1)].into());
    assert_eq!(tally.counts(Round::First), [("a", 3), ("b", 1)].into(), "they stay");

    class.teacher.go_on();
    assert_eq!(class.teacher.state().question.as_ref().unwrap().phase, QuestionPhase::Revealed);
    class.teacher.go_on();
    assert_eq!(class.teacher.state().question, None);
}

#[test]
fn clients_restore_the_records_of_a_restarted_room() {
    let mut class = Class::new();
    let mut student = class.student(1);
    class.teacher.is_at("bindpose://a/one");
    class.teacher.ask(question());
    class.exchange(&mut [&mut student]);
    student.client.call_me("Mo");
    student.client.answer(&question(), "a");
    class.exchange(&mut [&mut student]);

    // The teacher's computer restarts: the room gets the stored state, the teacher is empty, and
    // the student's browser is not.
    let kept = class.teacher.state().clone();
    class.room = Room::new(class.room.code().clone(), class.room.secret().clone());
    class.room.put_state(kept.clone()).unwrap();
    class.teacher =
        TeacherClient::new(class.room.code().clone(), TeacherSecret::from_random(SECRET));
    class.seen = SyncCursor::default();
    student.connect(&mut class);
    class.exchange(&mut [&mut student]);
    assert_eq!(*class.teacher.state(), kept);
    assert_eq!(class.teacher.tally(&question()).counts(Round::First), [("a", 1)].into());
    assert_eq!(class.teacher.students().next().unwrap().record.name, "Mo");

    // Only the room restarts: the teacher restores the state.
    class.room = Room::new(class.room.code().clone(), class.room.secret().clone());
    class.seen = SyncCursor::default();
    class.exchange(&mut []);
    class.exchange(&mut []);
    assert_eq!(*class.room.state(), kept);
}

#[test]
fn a_reconnecting_student_accepts_the_lower_version_of_a_restarted_class() {
    let mut class = Class::new();
    for step in 0..20 {
        class.teacher.is_at(&format!("bindpose://bone-grid/{step}"));
    }
    class.teacher.call();
    let mut student = class.student(1);
    class.exchange(&mut [&mut student]);
    student.client.take_place();
    // The room and the teacher restart, but the student's page does not.
    let mut again = Class::new();
    again.seen = SyncCursor::default();
    student.connect(&mut again);
    again.exchange(&mut [&mut student]);
    let version = |student: &Student| student.client.state().unwrap().version;
    assert!(version(&student) > 20, "an empty room does not replace the state");
    again.teacher.is_at("bindpose://bone-grid/first");
    again.exchange(&mut [&mut student]);
    assert_eq!(version(&student), 1);
    assert_eq!(student.client.take_place().as_deref(), Some("bindpose://bone-grid/first"));
    again.teacher.call();
    again.exchange(&mut [&mut student]);
    assert_eq!(student.client.state().unwrap().calls, 1);
    // Later on the same connection, an older state is ignored.
    let state = ClassState { version: 1, ..ClassState::default() };
    student.client.hear(ServerMessage::State { state });
    assert_eq!(version(&student), 2);
}

#[test]
fn a_student_returns_to_the_question_even_if_the_class_follows_nothing() {
    let mut class = Class::new();
    class.teacher.let_follow(FollowMode::Nothing);
    class.teacher.is_at("bindpose://bone-grid/first");
    class.teacher.ask(question());
    let mut student = class.student(1);
    class.exchange(&mut [&mut student]);
    assert_eq!(student.client.take_place().as_deref(), Some("bindpose://bone-grid/first"));
    student.client.is_at("bindpose://bone-grid/first", false);
    student.client.is_at("bindpose://bone-grid/last", true);
    assert_eq!(student.client.take_place(), None, "its own way");
    student.client.go_back();
    assert_eq!(student.client.take_place().as_deref(), Some("bindpose://bone-grid/first"));
    assert_eq!(student.client.take_place(), None);
}

#[test]
fn joining_needs_the_code_and_leading_needs_the_secret() {
    let mut class = Class::new();
    let code = class.room.code().clone();
    let other = RoomCode::from_random(2);
    let key = StudentKey::from_random(1);
    let refused = class.room.join(&other, &key, StudentRecord::default());
    assert_eq!(refused, Err(RejectReason::NoSuchRoom));
    let right = TeacherSecret::from_random(SECRET);
    let wrong = TeacherSecret::from_random(8);
    assert_eq!(class.room.lead(&code, &right), Ok(()));
    assert_eq!(class.room.lead(&code, &wrong), Err(RejectReason::NotTheTeacher));
    assert_eq!(class.room.lead(&other, &right), Err(RejectReason::NoSuchRoom));
    assert_eq!(class.room.present(), 0);
}

#[test]
fn records_over_the_limits_are_rejected_and_change_nothing() {
    let mut class = Class::new();
    let student = class.student(1);
    let long = StudentRecord { name: "x".repeat(41), ..StudentRecord::default() };
    let broken = StudentRecord { name: "a\nb".into(), ..StudentRecord::default() };
    let page = StudentRecord { page: "x".repeat(100_000), ..StudentRecord::default() };
    let mut many = StudentRecord::default();
    for draw in 0..401 {
        let question = QuestionAddress { draw, ..question() };
        let answers = Arc::make_mut(&mut many.answers);
        answers.insert(AnswerKey { question, round: Round::First }, "1".into());
    }
    for mut record in [long, broken, page, many] {
        record.version = u64::MAX;
        assert_eq!(class.room.put_record(&student.key, record), Err(RejectReason::Malformed));
    }
    let far = class.room.put_page(&student.key, "x".repeat(100_000), false, u64::MAX);
    assert_eq!(far, Err(RejectReason::Malformed));
    let place = "x".repeat(100_000);
    let state = ClassState { version: 9, place, ..ClassState::default() };
    assert_eq!(class.room.put_state(state), Err(RejectReason::Malformed));
    class.exchange(&mut []);
    assert_eq!(class.teacher.students().next().unwrap().record, *student.client.record());

    for key in 1..=MAX_STUDENTS as u128 {
        let full = class.room.put_record(&StudentKey::from_random(key), StudentRecord::default());
        assert!(full.is_ok(), "{key}");
    }
    let one_more = StudentKey::from_random(0);
    let full = class.room.join(&class.room.code().clone(), &one_more, StudentRecord::default());
    assert_eq!(full, Err(RejectReason::Full));
}

#[test]
fn codes_and_keys_are_parsed_as_typed_and_everything_else_is_an_error() {
    let code = RoomCode::from_random(123_456);
    let typed = format!(" {} {}", code.as_str()[..2].to_lowercase(), &code.as_str()[2..]);
    assert_eq!(typed.parse(), Ok(code));
    for wrong in ["", "K7Q", "K7QFF", "K7Q0", "K7Q/", "ÄÄÄÄ"] {
        assert!(wrong.parse::<RoomCode>().is_err(), "{wrong}");
    }
    for wrong in ["", "zz", &"g".repeat(32), &"1".repeat(33)] {
        assert!(wrong.parse::<StudentKey>().is_err(), "{wrong}");
    }
    let codes: std::collections::BTreeSet<_> =
        (0..10_000).map(|bits| RoomCode::from_random(bits * 7919).as_str().to_owned()).collect();
    assert!(codes.len() > 9_000, "{}", codes.len());
    assert!(serde_json::from_str::<ClientMessage>(r#"{"say":"join","code":"K7QF"}"#).is_err());
}

#[test]
fn an_older_state_does_not_replace_a_newer_one() {
    let mut class = Class::new();
    class.teacher.is_at("bindpose://a/one");
    let old = class.teacher.state().clone();
    class.teacher.is_at("bindpose://a/two");
    class.exchange(&mut []);
    class.room.put_state(old).unwrap();
    assert_eq!(class.room.state().place, "bindpose://a/two");
}

#[test]
fn late_messages_of_an_old_connection_do_not_replace_answers() {
    let mut class = Class::new();
    let mut student = class.student(1);
    class.teacher.ask(question());
    class.exchange(&mut [&mut student]);
    student.client.is_at("bindpose://a/one", false);
    let page = student.client.take_unsaid().unwrap();
    assert!(student.client.answer(&question(), "a"));
    let record = student.client.take_unsaid().unwrap();
    // The connection breaks with these two under way. The stored record is not newer.
    let stored = student.client.record().clone();
    let code = class.room.code().clone();
    student.client = StudentClient::new(code, student.key.clone(), stored);
    student.connect(&mut class);
    class.exchange(&mut [&mut student]);
    assert!(student.client.answer(&question(), "b"));
    student.client.is_at("bindpose://a/two", false);
    class.exchange(&mut [&mut student]);
    for late in [page, record] {
        let result = match late {
            ClientMessage::Record { record } => class.room.put_record(&student.key, record),
            ClientMessage::Page { page, wanders, version } => {
                class.room.put_page(&student.key, page, wanders, version)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(result, Ok(()));
    }
    class.exchange(&mut [&mut student]);
    assert_eq!(class.teacher.tally(&question()).counts(Round::First), [("b", 1)].into());
    let view = class.teacher.students().next().unwrap();
    assert_eq!((&*view.record.page, view.is_here), ("bindpose://a/two", true));
}

#[test]
fn messages_to_the_teacher_share_answers_and_lessons_with_the_room() {
    let mut class = Class::new();
    let student = class.student(1);
    let receive_record = |class: &Class| {
        let mut seen = SyncCursor::default();
        loop {
            if let ServerMessage::Students { changed } =
                class.room.news_for_teacher(&mut seen).unwrap()
            {
                return changed[0].record.clone();
            }
        }
    };
    let before = receive_record(&class);
    class.room.put_page(&student.key, "bindpose://a/one".into(), false, u64::MAX).unwrap();
    let after = receive_record(&class);
    assert_eq!((&*before.page, &*after.page), ("", "bindpose://a/one"));
    assert!(Arc::ptr_eq(&before.answers, &after.answers), "a frame copies no answers");
    assert!(Arc::ptr_eq(&before.lessons, &after.lessons), "a frame copies no lessons");
}

#[test]
fn allowances_refill_with_time() {
    let mut allowance = RateLimiter::new(3.0, 2.0, 10.0);
    let taken = (0..5).filter(|_| allowance.take(10.0)).count();
    assert_eq!(taken, 3);
    assert!(!allowance.take(10.4));
    assert!(allowance.take(10.5));
    assert_eq!((0..9).filter(|_| allowance.take(1000.0)).count(), 3, "at most the maximum");
    assert!(!allowance.take(0.0), "a clock that goes back does not refill");
}

#[test]
fn progress_over_the_limits_is_not_sent() {
    let mut class = Class::new();
    let mut student = class.student(1);
    class.exchange(&mut [&mut student]);
    let progress = |steps: std::ops::Range<u16>| LessonProgress {
        seen: steps.collect(),
        ..LessonProgress::default()
    };
    student.client.has_done("arm", progress(0..3));
    student.client.has_done("leg", progress(0..65));
    student.client.has_done("arm", progress(0..65));
    class.exchange(&mut [&mut student]);
    let lessons = &class.teacher.students().next().unwrap().record.lessons;
    assert_eq!(lessons.iter().collect::<Vec<_>>(), [(&"arm".to_owned(), &progress(0..3))]);
    student.client.has_done("arm", progress(0..3));
    assert_eq!(student.client.take_unsaid(), None, "nothing has changed");
}

#[test]
fn a_replica_sends_the_teacher_the_same_as_the_room() {
    let code = RoomCode::from_random(1);
    let secret = TeacherSecret::from_random(SECRET);
    let mut first = Room::copy_of(code.clone(), secret.clone(), 1);
    let mut second = Room::copy_of(code.clone(), secret.clone(), 2);
    let record = |name: &str| StudentRecord { name: name.into(), ..StudentRecord::default() };
    for number in 1..=250 {
        let key = StudentKey::from_random(number);
        let id = StudentId(7 * number as u32);
        assert!(first.copy_student(&key, id, record("Mo"), false));
        assert!(!first.copy_student(&key, id, record("Mo"), false), "nothing has changed");
        second.copy_student(&key, id, record("Mo"), true);
    }
    let mut teacher = TeacherClient::new(code.clone(), secret.clone());
    let mut seen = SyncCursor::default();
    let mut message_count = 0;
    while let Some(message) = first.news_for_teacher(&mut seen) {
        teacher.hear(message);
        message_count += 1;
    }
    assert_eq!((message_count, teacher.students().count(), teacher.present()), (4, 250, 0));

    assert!(first.copy_presence(&[StudentId(7), StudentId(14), StudentId(3)].into()));
    assert!(!first.copy_presence(&[StudentId(7), StudentId(14)].into()), "id 3 is unknown");
    first.put_page(&StudentKey::from_random(1), "bindpose://a/b".into(), true, 1).unwrap();
    let Some(ServerMessage::Students { changed }) = first.news_for_teacher(&mut seen) else {
        panic!("two have changed");
    };
    assert_eq!(changed.iter().map(|student| student.id.0).collect::<Vec<_>>(), [14, 7]);
    assert!(changed[1].record.wanders);
    assert_eq!(first.news_for_teacher(&mut seen), None);
    assert!(
        !first.copy_student(&StudentKey::from_random(1), StudentId(7), record("Jo"), true),
        "old"
    );
    assert_eq!(first.news_for_teacher(&mut seen), None);

    // The cursor of one replica is not valid for another.
    while let Some(message) = second.news_for_teacher(&mut seen) {
        teacher.hear(message);
    }
    assert_eq!((teacher.students().count(), teacher.present()), (250, 250));
}

/// A student's record with an answer in a round, as a client sends it that ignores the phase.
fn record_with_answer(student: &Student, round: Round, answer: &str) -> StudentRecord {
    let mut record = student.client.record().clone();
    record.version = u64::MAX;
    let key = AnswerKey { question: question(), round };
    Arc::make_mut(&mut record.answers).insert(key, answer.to_owned());
    record
}

#[test]
fn votes_count_only_while_their_round_is_open() {
    let mut class = Class::new();
    let mut honest = class.student(1);
    let mut cheater = class.student(2);
    let vote = |class: &mut Class, student: &Student, round: Round, answer: &str| {
        let record = record_with_answer(student, round, answer);
        class.room.put_record(&student.key, record).unwrap();
    };
    // Before the question.
    vote(&mut class, &cheater, Round::First, "early");
    class.teacher.ask(question());
    class.exchange(&mut [&mut honest, &mut cheater]);
    assert!(class.teacher.tally(&question()).is_empty());
    assert!(honest.client.answer(&question(), "a"));
    vote(&mut class, &cheater, Round::Second, "ahead");
    vote(&mut class, &cheater, Round::First, "b");
    class.exchange(&mut [&mut honest, &mut cheater]);
    let first: std::collections::BTreeMap<_, _> = [("a", 1), ("b", 1)].into();
    assert_eq!(class.teacher.tally(&question()).counts(Round::First), first);
    // After the lock, during the discussion, in the second round and after the reveal.
    class.teacher.lock(true);
    for _ in 0..4 {
        class.exchange(&mut [&mut honest]);
        vote(&mut class, &cheater, Round::First, "a");
        class.exchange(&mut []);
        assert_eq!(class.teacher.tally(&question()).counts(Round::First), first);
        class.teacher.go_on();
    }
    // Someone who comes under another name has no vote in a round that is over, either.
    let again = class.student(3);
    let record = record_with_answer(&again, Round::First, "c");
    let newcomer = StudentKey::from_random(4);
    class.room.put_record(&newcomer, record).unwrap();
    class.exchange(&mut []);
    assert_eq!(class.teacher.tally(&question()).counts(Round::First), first);
}

#[test]
fn a_restarted_room_takes_the_answers_that_its_students_bring() {
    let mut class = Class::new();
    let mut student = class.student(1);
    class.teacher.ask(question());
    class.exchange(&mut [&mut student]);
    assert!(student.client.answer(&question(), "a"));
    class.exchange(&mut [&mut student]);
    class.teacher.go_on();
    class.exchange(&mut [&mut student]);
    let Class { room, .. } = Class::new();
    class.room = room;
    class.seen = SyncCursor::default();
    student.connect(&mut class);
    class.exchange(&mut [&mut student]);
    class.exchange(&mut [&mut student]);
    assert_eq!(class.teacher.tally(&question()).counts(Round::First), [("a", 1)].into());
}

#[test]
fn seats_of_students_who_left_nothing_behind_are_free() {
    let mut class = Class::new();
    let code = class.room.code().clone();
    let key = |number: usize| StudentKey::from_random(number as u128);
    for number in 0..MAX_STUDENTS {
        class.room.join(&code, &key(number), StudentRecord::default()).unwrap();
    }
    let newcomer = key(MAX_STUDENTS);
    let named = StudentRecord { name: "Ada".into(), version: 1, ..StudentRecord::default() };
    let full = class.room.join(&code, &newcomer, named.clone());
    assert_eq!(full, Err(RejectReason::Full));
    class.room.put_record(&key(7), named.clone()).unwrap();
    assert!(!class.room.leave(&key(7)), "it has a name");
    assert!(class.room.leave(&key(8)));
    assert!(class.room.has_seat(&key(7)) && !class.room.has_seat(&key(8)));
    class.exchange(&mut []);
    assert_eq!(class.teacher.present(), MAX_STUDENTS - 2);
    // A student who comes back has the seat again.
    class.room.join(&code, &key(8), StudentRecord::default()).unwrap();
    assert!(class.room.has_seat(&key(8)));
    assert_eq!(class.room.join(&code, &newcomer, named.clone()), Err(RejectReason::Full));
    assert!(class.room.leave(&key(8)));
    assert_eq!(class.room.join(&code, &newcomer, named), Ok(StudentId(8)));
    class.exchange(&mut []);
    assert_eq!(class.teacher.students().len(), MAX_STUDENTS);
    assert_eq!(class.teacher.students().nth(8).unwrap().record.name, "Ada");
    let again = class.room.join(&code, &key(8), StudentRecord::default());
    assert_eq!(again, Err(RejectReason::Full));
}
