//! Conformance of parts of items: what who holds an item hands to others meanwhile.

use crate::has;
use crate::postgres::Server;
use campaign::store::{FileRow, Job, Kept, Needs, Part, Store};
use std::path::Path;
use std::time::Duration;

/// Parts of an item are handed out and kept as items are, while it is held as it was, and no longer.
pub fn go_with_their_item(server: &Server, name: &str) {
    let place = server.database(name);
    let open =
        |lease: u64| Store::open_for(Path::new(&place), Duration::from_millis(lease)).expect("a store");
    let (holder, other) = (open(60_000), open(60_000));
    let job = Job {
        kind: "test".to_owned(),
        title: "a test".to_owned(),
        spec: "{}".to_owned(),
        needs: Needs { architecture: "x86_64".to_owned(), memory: 100 },
        files: Vec::new(),
        inputs: vec!["asked".to_owned()],
    };
    let id = holder.begin_job(&job).expect("begun");
    let take = |store: &Store| store.take_item(&has(100), &[], &[]).expect("an answer");
    let item = take(&holder).expect("an item");
    let hand = |item, count: usize| {
        holder.hand_out(item, "about", &vec![b"file".to_vec(); count], true).expect("an answer")
    };
    assert_eq!(hand(&item, 3), Some(vec![1, 2, 3]));
    // They are for who can do the whole, and did not refuse it; who asked for the whole alone takes part.
    assert_eq!(other.take_item(&has(99), &[], &[]).expect("an answer"), None);
    assert_eq!(other.take_item(&has(100), &[], &[id]).expect("an answer"), None);
    let part = other.take_item(&has(100), &[id], &[]).expect("an answer").expect("a part");
    assert_eq!((part.kind.as_str(), part.number, part.spec.as_str()), ("test-part", 1, "about"));
    let (whole, file) = other.whole(&part).expect("read").expect("it is a part");
    assert_eq!((whole.job, whole.input.as_str(), &file[..]), (id, "asked", &b"file"[..]));
    assert_eq!(other.whole(&item).expect("read"), None, "the whole is no part");
    assert_eq!(
        other.hand_out(&part, "", &[Vec::new()], false).expect("an answer"),
        None,
        "a part has no parts"
    );
    let answer = [FileRow { name: "answers".to_owned(), executable: false, bytes: b"yes".to_vec() }];
    assert_eq!(other.keep_item(&part, &answer).expect("kept"), Kept::New);
    assert_eq!(other.keep_item(&part, &answer).expect("an answer"), Kept::Late);
    let second = take(&other).expect("the next");
    let stand = |item, numbers: &[u64]| holder.parts(item, numbers).expect("read");
    let all = [(1, Part::Done(answer.to_vec())), (2, Part::Held), (3, Part::Free)];
    assert_eq!(stand(&item, &[1, 2, 3, 4]), all);
    // What is withdrawn is gone, whoever has it, and its number is not given again.
    assert!(other.holds(&second).expect("an answer"));
    assert!(holder.withdraw(&item, &[2, 3]).expect("an answer"));
    assert!(!other.holds(&second).expect("an answer"));
    assert_eq!(other.keep_item(&second, &answer).expect("an answer"), Kept::Late);
    assert_eq!((take(&other), hand(&item, 1)), (None, Some(vec![4])));
    // How far the holder is, is kept while the item is not done.
    assert_eq!(other.state(&item).expect("read"), None);
    for state in [&b"one"[..], b"two"] {
        assert!(holder.keep_state(&item, state).expect("an answer"));
    }
    // The holder is silent: nobody works for it, and what it then asks for is refused.
    let silent =
        "UPDATE item SET expires = now() - interval '1 second' WHERE epoch = 1 AND NOT done AND input <> ''";
    server.client(name).execute(silent, &[]).expect("the owner may");
    assert_eq!(hand(&item, 1), None);
    assert!(!holder.withdraw(&item, &[4]).expect("an answer"));
    let again = take(&other).expect("the whole again");
    assert_eq!((again.job, again.input.as_str(), take(&holder)), (id, "asked", None));
    assert!(!holder.keep_state(&item, b"late").expect("an answer"));
    assert_eq!(stand(&item, &[1, 4]), [], "its parts are gone");
    assert_eq!(other.state(&again).expect("read").as_deref(), Some(&b"two"[..]));
    // Done, it has neither parts nor a state.
    assert_eq!(other.hand_out(&again, "about", &[b"x".to_vec()], false).expect("an answer"), Some(vec![1]));
    assert_eq!(other.keep_item(&again, &answer).expect("kept"), Kept::New);
    assert_eq!((take(&holder), other.state(&again).expect("read")), (None, None));
    let left = "SELECT (SELECT count(*) FROM job WHERE of_job IS NOT NULL) + (SELECT count(*) FROM job_file)";
    assert_eq!(server.client(name).query_one(left, &[]).expect("an answer").get::<_, i64>(0), 0);
}
