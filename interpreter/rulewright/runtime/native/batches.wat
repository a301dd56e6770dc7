;; Many games that go on together, each by one action at a time. What stands in double braces are numbers: addresses, and
;; offsets within the record of a game. Of each game its record holds the state, what is asked, what has been chosen of
;; the answer so far, and what each seat did last.

;; The action by which a candidate is chosen. place: where it stands among the candidates.
(func $action_of (param $game i32) (param $place i32) (result i32)
  (local $site i32) (local $seat i32) (local $item i32) (local $row i32) (local $action i32) (local $zone i32)
  (local.set $site (i32.add (i32.const {{SITES}}) (i32.mul (i32.load offset={{ASKED}} (local.get $game)) (i32.const 48))))
  (local.set $seat (i32.load offset={{SEAT}} (local.get $game)))
  (local.set $item (i32.load offset={{ITEMS}} (i32.add (local.get $game) (i32.shl (local.get $place) (i32.const 2)))))
  (local.set $action (i32.load offset=24 (local.get $site)))
  (if (i32.eqz (i32.load offset=20 (local.get $site))) (then  ;; by its number
    (return (i32.add (local.get $action) (local.get $item)))))
  (if (i32.eq (i32.load offset=20 (local.get $site)) (i32.const 1)) (then  ;; a seat
    (return (i32.add (local.get $action) (call $from (local.get $item) (local.get $seat))))))
  (if (i32.eq (i32.load offset=20 (local.get $site)) (i32.const 2)) (then  ;; by its place
    (return (select (i32.add (local.get $action) (local.get $place)) (i32.const -1)
      (i32.lt_u (local.get $place) (i32.const {{MOST_NUMBERS}}))))))
  (local.set $zone (i32.load offset={{AT}} (i32.shl (local.get $item) (i32.const 2))))
  (local.set $row (i32.add (i32.mul (local.get $seat) (i32.const {{ZONES}})) (local.get $zone)))
  (local.set $action (i32.load offset={{PIECES}} (i32.shl
    (i32.add (i32.mul (local.get $row) (i32.const {{TYPES}})) (i32.wrap_i64 (call $looks (local.get $item))))
    (i32.const 2))))
  (if (i32.and (i32.gt_s (i32.load offset={{EACH}} (i32.shl (local.get $row) (i32.const 2))) (i32.const 1))
               (call $apart (local.get $site) (local.get $seat))) (then
    (local.set $row (i32.load offset={{EACH}} (i32.shl (local.get $row) (i32.const 2))))
    (local.set $zone (i32.load offset={{COUNTS}} (i32.shl (local.get $action) (i32.const 2))))
    (i32.store offset={{COUNTS}} (i32.shl (local.get $action) (i32.const 2)) (i32.add (local.get $zone) (i32.const 1)))
    (return (i32.add (local.get $action) (select (local.get $zone) (i32.sub (local.get $row) (i32.const 1))
      (i32.lt_s (local.get $zone) (local.get $row)))))))
  (local.get $action))

;; Whether equal pieces are told apart by their places.
(func $apart (param $site i32) (param $seat i32) (result i32)
  (local $cell i32)
  (local.set $cell (i32.load offset=28 (local.get $site)))
  (if (i32.lt_s (local.get $cell) (i32.const 0)) (then (return (i32.const 0))))
  (i32.ne (i32.const 0) (i32.load (i32.add (call $there (local.get $cell))
    (i32.shl (i32.mul (local.get $seat) (i32.load offset=8 (local.get $site))) (i32.const 2))))))

;; How many seats one is on from another.
(func $from (param $one i32) (param $other i32) (result i32)
  (i32.rem_u (i32.add (i32.sub (local.get $one) (local.get $other)) (i32.const {{SEATS}})) (i32.const {{SEATS}})))

;; Whether actions are counted from the first one on by the number that a candidate has.
(func $by_number (param $game i32) (result i32)
  (i32.eqz (i32.load offset=20 (i32.add (i32.const {{SITES}})
    (i32.mul (i32.load offset={{ASKED}} (local.get $game)) (i32.const 48))))))

(func $first_action (param $game i32) (result i32)
  (i32.load offset=24 (i32.add (i32.const {{SITES}})
    (i32.mul (i32.load offset={{ASKED}} (local.get $game)) (i32.const 48)))))

;; The actions of all candidates, behind them.
(func $number (param $game i32)
  (local $place i32) (local $count i32)
  (if (i32.ge_s (i32.load offset=28 (i32.add (i32.const {{SITES}})
        (i32.mul (i32.load offset={{ASKED}} (local.get $game)) (i32.const 48)))) (i32.const 0))
    (then (memory.fill (i32.const {{COUNTS}}) (i32.const 0) (i32.const {{COUNTS_SIZE}}))))
  (local.set $count (i32.load offset={{COUNT}} (local.get $game)))
  (if (i32.and (call $by_number (local.get $game))
        (i32.le_s (i32.load offset={{MOST}} (local.get $game)) (i32.const 1)))
    (then (local.set $count (i32.const 0))))  ;; the candidates themselves will do
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
    (i32.store offset={{ACTIONS}} (i32.add (local.get $game) (i32.shl (local.get $place) (i32.const 2)))
      (call $action_of (local.get $game) (local.get $place)))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $more))))

;; Counts the candidates of each action that are left, without what has been taken.
(func $count_left (param $game i32)
  (local $place i32) (local $count i32) (local $at i32)
  (memory.fill (i32.const {{COUNTS}}) (i32.const 0) (i32.const {{COUNTS_SIZE}}))
  (local.set $count (i32.load offset={{COUNT}} (local.get $game)))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
    (local.set $at (i32.shl (i32.load offset={{ACTIONS}}
      (i32.add (local.get $game) (i32.shl (local.get $place) (i32.const 2)))) (i32.const 2)))
    (if (i32.ge_s (local.get $at) (i32.const 0)) (then
      (i32.store offset={{COUNTS}} (local.get $at) (i32.add (i32.load offset={{COUNTS}} (local.get $at)) (i32.const 1)))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $more)))
  (local.set $place (i32.const 0))
  (local.set $count (i32.load offset={{TAKEN}} (local.get $game)))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
    (local.set $at (i32.shl (i32.load offset={{PICKS}}
      (i32.add (local.get $game) (i32.shl (local.get $place) (i32.const 2)))) (i32.const 2)))
    (i32.store offset={{COUNTS}} (local.get $at) (i32.sub (i32.load offset={{COUNTS}} (local.get $at)) (i32.const 1)))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $more))))

;; Marks each action that can be taken; gives how many there are besides 'done'.
(func $allow (param $game i32) (param $mask i32) (result i32)
  (local $action i32) (local $behind i32) (local $taken i32) (local $least i32) (local $last i32) (local $found i32)
  (local $left i32)
  (call $clear_mask (local.get $mask))
  (local.set $taken (i32.load offset={{TAKEN}} (local.get $game)))
  (local.set $least (i32.load offset={{LEAST}} (local.get $game)))
  (if (i32.ge_s (local.get $taken) (local.get $least)) (then (i32.store8 (local.get $mask) (i32.const 1))))
  (if (i32.ge_s (local.get $taken) (i32.load offset={{MOST}} (local.get $game))) (then (return (i32.const 0))))
  (if (i32.and (i32.eqz (local.get $taken)) (i32.le_s (local.get $least) (i32.const 1))) (then  ;; whatever is there
    (local.set $found (i32.load offset={{COUNT}} (local.get $game)))
    (local.set $last (local.get $game))
    (local.set $behind (i32.add (local.get $game) (i32.shl (local.get $found) (i32.const 2))))
    (if (call $by_number (local.get $game)) (then
      (local.set $left (i32.add (local.get $mask) (call $first_action (local.get $game))))
      (block $done (loop $more
        (br_if $done (i32.eq (local.get $last) (local.get $behind)))
        (i32.store8 (i32.add (local.get $left) (i32.load offset={{ITEMS}} (local.get $last))) (i32.const 1))
        (local.set $last (i32.add (local.get $last) (i32.const 4)))
        (br $more)))
      (return (local.get $found))))
    (block $done (loop $more
      (br_if $done (i32.eq (local.get $last) (local.get $behind)))
      (local.set $action (i32.load offset={{ACTIONS}} (local.get $last)))
      (if (i32.ge_s (local.get $action) (i32.const 0)) (then
        (i32.store8 (i32.add (local.get $mask) (local.get $action)) (i32.const 1))))
      (local.set $last (i32.add (local.get $last) (i32.const 4)))
      (br $more)))
    (return (local.get $found))))
  (call $count_left (local.get $game))
  (if (local.get $taken) (then (local.set $last (i32.load offset={{LAST_PICK}}
    (i32.add (local.get $game) (i32.shl (local.get $taken) (i32.const 2)))))))
  (local.set $action (i32.const {{ACTION_COUNT}}))
  (block $done (loop $more  ;; from behind: how many are left from each on
    (local.set $action (i32.sub (local.get $action) (i32.const 1)))
    (br_if $done (i32.lt_s (local.get $action) (local.get $last)))
    (br_if $done (i32.eqz (local.get $action)))
    (local.set $left (i32.load offset={{COUNTS}} (i32.shl (local.get $action) (i32.const 2))))
    (local.set $behind (i32.add (local.get $behind) (local.get $left)))
    (if (i32.and (i32.gt_s (local.get $left) (i32.const 0))
                 (i32.ge_s (i32.add (local.get $taken) (local.get $behind)) (local.get $least))) (then
      (i32.store8 (i32.add (local.get $mask) (local.get $action)) (i32.const 1))
      (local.set $found (i32.add (local.get $found) (i32.const 1)))))
    (br $more)))
  (local.get $found))

;; Puts what has been chosen into the state that is taken up.
(func $give (param $game i32)
  (local $place i32) (local $count i32) (local $at i32) (local $set i32) (local $to i32)
  (local.set $count (i32.load offset={{TAKEN}} (local.get $game)))
  (if (i32.le_u (local.get $count) (i32.const 1)) (then  ;; the first candidate of that action
    (local.set $set (call $slot (local.get $game)))
    (i32.store (local.get $set) (local.get $count))
    (if (local.get $count) (then
      (local.set $at (i32.load offset={{PICKS}} (local.get $game)))
      (local.set $to (local.get $game))
      (if (call $by_number (local.get $game)) (then
        (i32.store offset=4 (local.get $set) (i32.sub (local.get $at) (call $first_action (local.get $game))))
        (call $way (local.get $game))
        (return)))
      (loop $more
        (local.set $place (i32.load offset={{ACTIONS}} (local.get $to)))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))
        (br_if $more (i32.ne (local.get $place) (local.get $at))))
      (i32.store offset=4 (local.get $set) (i32.load offset={{LAST_ITEM}} (local.get $to)))))
    (call $way (local.get $game))
    (return)))
  (memory.fill (i32.const {{COUNTS}}) (i32.const 0) (i32.const {{COUNTS_SIZE}}))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
    (local.set $at (i32.shl (i32.load offset={{PICKS}}
      (i32.add (local.get $game) (i32.shl (local.get $place) (i32.const 2)))) (i32.const 2)))
    (i32.store offset={{COUNTS}} (local.get $at) (i32.add (i32.load offset={{COUNTS}} (local.get $at)) (i32.const 1)))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $more)))
  (local.set $set (call $slot (local.get $game)))
  (i32.store (local.get $set) (local.get $count))
  (local.set $to (local.get $set))
  (local.set $place (i32.const 0))
  (local.set $count (i32.load offset={{COUNT}} (local.get $game)))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
    (local.set $at (i32.shl (i32.load offset={{ACTIONS}}
      (i32.add (local.get $game) (i32.shl (local.get $place) (i32.const 2)))) (i32.const 2)))
    (if (i32.ge_s (local.get $at) (i32.const 0)) (then
      (if (i32.gt_s (i32.load offset={{COUNTS}} (local.get $at)) (i32.const 0)) (then
        (i32.store offset={{COUNTS}} (local.get $at) (i32.sub (i32.load offset={{COUNTS}} (local.get $at)) (i32.const 1)))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))
        (i32.store (local.get $to)
          (i32.load offset={{ITEMS}} (i32.add (local.get $game) (i32.shl (local.get $place) (i32.const 2)))))))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $more)))
  (call $way (local.get $game)))

;; Where the answer goes.
(func $slot (param $game i32) (result i32)
  (local $site i32)
  (local.set $site (i32.add (i32.const {{SITES}}) (i32.mul (i32.load offset={{ASKED}} (local.get $game)) (i32.const 48))))
  (call $set (i32.add (i32.load (local.get $site))
    (i32.mul (i32.load offset=4 (local.get $site)) (i32.load offset={{SEAT}} (local.get $game))))))

;; Where it goes on after an answer, which counts.
(func $way (param $game i32)
  (local $site i32) (local $sealed i32) (local $seat i32)
  (local.set $site (i32.add (i32.const {{SITES}}) (i32.mul (i32.load offset={{ASKED}} (local.get $game)) (i32.const 48))))
  (local.set $seat (i32.shl (i32.load offset={{SEAT}} (local.get $game)) (i32.const 2)))
  (i32.store (global.get $GAVE) (i32.add (i32.load (global.get $GAVE)) (i32.const 1)))
  (local.set $sealed (i32.load offset=12 (local.get $site)))
  (if (i32.lt_s (local.get $sealed) (i32.const 0)) (then
    (i32.store (global.get $PC) (i32.load offset=16 (local.get $site))))
  (else
    (local.set $sealed (i32.add (i32.const {{SEALED}}) (i32.mul (local.get $sealed) (i32.const 32))))
    (i32.store (i32.add (call $there (i32.load offset=4 (local.get $sealed))) (local.get $seat))
      (select (i32.const {{PARKED}}) (i32.load offset=16 (local.get $site)) (i32.load offset=32 (local.get $site))))
    (i32.store (i32.add (call $there (i32.load offset=12 (local.get $sealed))) (local.get $seat))
      (i32.load offset=16 (local.get $site))))))

;; The `at once` that is open, or 0.
(func $open (result i32)
  (local $sealed i32)
  (local.set $sealed (i32.const {{SEALED}}))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $sealed) (i32.const {{SEALED_END}})))
    (if (i32.eq (i32.load (local.get $sealed)) (i32.load (global.get $PC))) (then (return (local.get $sealed))))
    (local.set $sealed (i32.add (local.get $sealed) (i32.const 32)))
    (br $more)))
  (i32.const 0))

;; Runs on until an agent is asked, virtual players answering at random; gives how that ended.
(func $go_on (param $game i32) (result i32)
  (local $ended i32) (local $sealed i32) (local $seat i32) (local $cell i32) (local $at i32) (local $best i32)
  (loop $again
    (local.set $sealed (call $open))
    (if (local.get $sealed) (then
      (local.set $seat (i32.const 0))
      (loop $more
        (local.set $cell (i32.add (call $there (i32.load offset=4 (local.get $sealed))) (i32.shl (local.get $seat) (i32.const 2))))
        (if (i32.eq (i32.load (local.get $cell)) (i32.const {{WAITING}})) (then
          (i32.store (local.get $cell) (i32.load
            (i32.add (call $there (i32.load offset=8 (local.get $sealed))) (i32.shl (local.get $seat) (i32.const 2)))))))
        (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
        (br_if $more (i32.lt_u (local.get $seat) (i32.const {{SEATS}}))))))
    (i32.store (global.get $FUEL) (global.get $FUEL_FOR_ONE))
    (i32.store (global.get $PLAYING) (i32.const 0))
    (i32.store (global.get $ASKED_END) (global.get $ASKED))
    (local.set $ended (call $run))
    (if (i32.ne (local.get $ended) (global.get $STOPPED)) (then (return (local.get $ended))))
    (if (i32.ge_s (i32.load (global.get $GAVE)) (global.get $LIMIT)) (then
      (i32.store (global.get $PC) (global.get $OVER))
      (i32.store (global.get $LIMITED) (i32.const 1))
      (return (global.get $PLAYED))))
    (local.set $at (global.get $ASKED))
    (local.set $best (local.get $at))
    (block $done (loop $more  ;; the first seat of those that are asked; virtual players before all
      (br_if $done (i32.ge_u (local.get $at) (i32.load (global.get $ASKED_END))))
      (if (i32.lt_s (i32.load offset={{ORDER}} (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 2)))
                    (i32.load offset={{ORDER}} (i32.shl (i32.load offset=4 (local.get $best)) (i32.const 2))))
        (then (local.set $best (local.get $at))))
      (local.set $at (i32.add (i32.add (local.get $at) (i32.const 20))
        (i32.shl (i32.load offset=16 (local.get $at)) (i32.const 2))))
      (br $more)))
    (local.set $at (local.get $best))
    (local.set $cell (local.get $game))
    (local.set $seat (i32.add (i32.add (local.get $at) (i32.const 20))
      (i32.shl (i32.load offset=16 (local.get $at)) (i32.const 2))))
    (loop $more
      (i32.store offset={{ASKED}} (local.get $cell) (i32.load (local.get $at)))
      (local.set $cell (i32.add (local.get $cell) (i32.const 4)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $more (i32.lt_u (local.get $at) (local.get $seat))))
    (call $limit (i32.add (local.get $game) (i32.const {{MOST}})) (i32.load offset={{COUNT}} (local.get $game)))
    (call $limit (i32.add (local.get $game) (i32.const {{LEAST}})) (i32.load offset={{MOST}} (local.get $game)))
    (i32.store offset={{TAKEN}} (local.get $game) (i32.const 0))
    (if (i32.lt_s (i32.load offset={{ORDER}} (i32.shl (i32.load offset=4 (local.get $best)) (i32.const 2))) (i32.const 0))
      (then
        (local.set $cell (call $slot (local.get $game)))
        (i32.store (local.get $cell) (call $answer_at_random (local.get $game) (i32.add (local.get $cell) (i32.const 4))))
        (call $way (local.get $game))
        (br $again))))
  (call $number (local.get $game))
  (global.get $STOPPED))

;; A random answer, put at an address; gives its size.
(func $answer_at_random (param $game i32) (param $to i32) (result i32)
  (local $site i32) (local $seat i32)
  (local.set $site (i32.add (i32.const {{SITES}}) (i32.mul (i32.load offset={{ASKED}} (local.get $game)) (i32.const 48))))
  (local.set $seat (i32.load offset={{SEAT}} (local.get $game)))
  (if (i32.load offset=36 (local.get $site)) (then
    (if (i32.eqz (call $apart (local.get $site) (local.get $seat))) (then
      (return (call $pick_alike (local.get $to) (i32.add (local.get $game) (i32.const {{ITEMS}}))
        (i32.load offset={{COUNT}} (local.get $game)) (i64.load32_s offset={{LEAST}} (local.get $game))
        (i64.load32_s offset={{MOST}} (local.get $game)) (local.get $seat)))))))
  (call $pick (local.get $to) (i32.add (local.get $game) (i32.const {{ITEMS}}))
    (i32.load offset={{COUNT}} (local.get $game)) (i64.load32_s offset={{LEAST}} (local.get $game))
    (i64.load32_s offset={{MOST}} (local.get $game))))

;; What stands at an address is at most so large.
(func $limit (param $at i32) (param $most i32)
  (if (i32.gt_s (i32.load (local.get $at)) (local.get $most)) (then (i32.store (local.get $at) (local.get $most)))))

;; A new game.
(func $begin (param $game i32) (result i32)
  (call $take_up (local.get $game) (global.get $TEMPLATE))
  (call $seed (global.get $RANDOM) (i64.load (i32.const {{NEXT_SEED}})) (i32.const 0))
  (i64.store (i32.const {{NEXT_SEED}}) (i64.add (i64.load (i32.const {{NEXT_SEED}})) (i64.const 1)))
  (memory.fill (i32.add (local.get $game) (i32.const {{LAST}})) (i32.const 255) (i32.const {{LAST_SIZE}}))
  (call $go_on (local.get $game)))

;; Takes an action in one game; -1 to begin anew. mask: as it will be; row: of the results, where the game ends by it.
;; Gives 0, or how it failed; done is set where a game has ended.
(func $act (param $game i32) (param $action i32) (param $mask i32) (param $row i32) (param $done i32) (result i32)
  (local $ended i32)
  (global.set $BASE (i32.sub (local.get $game) (i32.const {{BEHIND}})))
  (i32.store8 (local.get $done) (i32.const 0))
  (if (i32.lt_s (local.get $action) (i32.const 0)) (then
    (local.set $ended (call $begin (local.get $game))))
  (else
    (if (local.get $action) (then
      (i32.store offset={{PICKS}} (i32.add (local.get $game)
        (i32.shl (i32.load offset={{TAKEN}} (local.get $game)) (i32.const 2))) (local.get $action))
      (i32.store offset={{TAKEN}} (local.get $game) (i32.add (i32.load offset={{TAKEN}} (local.get $game)) (i32.const 1)))))
    (i32.store offset={{LAST}} (i32.add (local.get $game)
      (i32.shl (i32.load offset={{SEAT}} (local.get $game)) (i32.const 2))) (local.get $action))
    (if (local.get $action) (then
      (if (call $allow (local.get $game) (local.get $mask)) (then (return (i32.const 0))))))
    (call $give (local.get $game))
    (local.set $ended (call $go_on (local.get $game)))))
  (block $good (loop $over
    (br_if $good (i32.eq (local.get $ended) (global.get $STOPPED)))
    (if (i32.ne (local.get $ended) (global.get $PLAYED)) (then (return (local.get $ended))))
    (i32.store8 (local.get $done) (i32.const 1))
    (local.set $ended (call $result (local.get $row) (i32.const 0)))
    (if (local.get $ended) (then (return (local.get $ended))))
    (local.set $ended (call $begin (local.get $game)))
    (br $over)))
  (drop (call $allow (local.get $game) (local.get $mask)))
  (i32.const 0))

;; What the seat that is asked sees in the state that is taken up.
(func $observe (param $game i32) (param $to i32)
  (local $me i32) (local $n i32) (local $at i32) (local $end i32) (local $zone i32) (local $columns i32)
  (local $place i32) (local $cell i32) (local $value i32) (local $sealed i32)
  (call $clear_vector (local.get $to))
  (local.set $me (i32.load offset={{SEAT}} (local.get $game)))
  (call $set_one (local.get $to) (i32.add (i32.const {{O_SEAT}}) (local.get $me)))
  (f32.store offset={{O_ROUND}} (local.get $to) (f32.convert_i32_s (i32.load (global.get $ROUND))))
  (local.set $value (i32.load (i32.const {{PHASE}})))
  (if (i32.ge_s (local.get $value) (i32.const 0)) (then
    (call $set_one (local.get $to) (i32.add (i32.const {{O_PHASE}}) (local.get $value)))))
  (local.set $sealed (call $open))
  (if (local.get $sealed) (then
    (local.set $at (call $there (i32.load offset=16 (local.get $sealed))))
    (local.set $end (call $end_of (local.get $at)))
    (block $done (loop $more
      (br_if $done (i32.eq (local.get $at) (local.get $end)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (call $set_one (local.get $to)
        (i32.add (i32.const {{O_WAITING}}) (call $from (i32.load (local.get $at)) (local.get $me))))
      (br $more))))
  (else (call $set_one (local.get $to) (i32.const {{O_WAITING}}))))
  (local.set $n (i32.const 0))
  (loop $more
    (local.set $value (i32.load offset={{ROLE}} (i32.shl (local.get $n) (i32.const 2))))
    (if (i32.ge_s (local.get $value) (i32.const 0)) (then
      (call $set_one (local.get $to) (i32.add (i32.add (i32.const {{O_ROLES}}) (local.get $value))
        (i32.mul (call $from (local.get $n) (local.get $me)) (i32.const {{ROLE_COUNT}}))))))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $n) (i32.const {{SEATS}}))))
  ;; rows of zones for one piece, whether it lies there or not: their sets, how many bytes they have in all, where the
  ;; first begins, how far from it the next one does, the columns of types
  (local.set $zone (i32.add (i32.const {{SINGLE}}) (i32.mul (local.get $me) (i32.const {{SINGLE_SIZE}}))))
  (local.set $n (i32.add (local.get $zone) (i32.const {{SINGLE_SIZE}})))
  (block $singles (loop $next
    (br_if $singles (i32.eq (local.get $zone) (local.get $n)))
    (local.set $at (i32.add (call $there (i32.load (local.get $zone))) (i32.const 4)))
    (local.set $end (i32.add (local.get $at) (i32.load offset=4 (local.get $zone))))
    (local.set $cell (i32.add (local.get $to) (i32.load offset=8 (local.get $zone))))
    (local.set $place (i32.load offset=12 (local.get $zone)))
    (local.set $columns (i32.load offset=16 (local.get $zone)))
    (loop $more
      (f32.store
        (i32.add (local.get $cell)
          (i32.shl (i32.load (i32.add (local.get $columns) (i32.shl {{LOOK}} (i32.const 2)))) (i32.const 2)))
        (f32.convert_i32_s (i32.load (i32.sub (local.get $at) (i32.const 4)))))
      (local.set $cell (i32.add (local.get $cell) (local.get $place)))
      (br_if $more (i32.ne (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $end))))
    (local.set $zone (i32.add (local.get $zone) (i32.const 20)))
    (br $next)))
  ;; zones whose pieces are counted, column by column: the mask, that of the column, where
  (local.set $zone (i32.add (i32.const {{COUNTED}}) (i32.mul (local.get $me) (i32.const {{COUNTED_SIZE}}))))
  (local.set $n (i32.add (local.get $zone) (i32.const {{COUNTED_SIZE}})))
  (block $counted (loop $next
    (br_if $counted (i32.eq (local.get $zone) (local.get $n)))
    (f32.store (i32.add (local.get $to) (i32.shl (i32.load offset=8 (local.get $zone)) (i32.const 2)))
      (f32.convert_i64_s (call $size_of_bits (v128.and
        (v128.load (call $there (i32.load (local.get $zone)))) (v128.load (i32.load offset=4 (local.get $zone)))))))
    (local.set $zone (i32.add (local.get $zone) (i32.const 12)))
    (br $next)))
  ;; other zones: the set, where it begins, the columns of types or 0, tops or -1, places or -1, how many columns
  (local.set $zone (i32.add (i32.const {{SEEN}}) (i32.mul (local.get $me) (i32.const {{SEEN_SIZE}}))))
  (local.set $n (i32.add (local.get $zone) (i32.const {{SEEN_SIZE}})))
  (block $zones (loop $next
    (br_if $zones (i32.eq (local.get $zone) (local.get $n)))
    (local.set $at (call $there (i32.load (local.get $zone))))
    (local.set $columns (i32.load offset=8 (local.get $zone)))
    (if (i32.eqz (i32.load (local.get $at))) (then)
    (else (if (i32.eqz (local.get $columns)) (then
      (f32.store (i32.add (local.get $to) (i32.shl (i32.load offset=4 (local.get $zone)) (i32.const 2)))
        (f32.convert_i32_s (i32.load (local.get $at)))))
    (else
      (local.set $end (call $end_of (local.get $at)))
      (local.set $place (i32.add (local.get $to) (i32.shl (i32.load offset=4 (local.get $zone)) (i32.const 2))))
      (loop $more
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (local.set $value (i32.load (i32.add (local.get $columns) (i32.shl {{LOOK}} (i32.const 2)))))
        (local.set $cell (i32.add (local.get $place) (i32.shl (local.get $value) (i32.const 2))))
        (f32.store (local.get $cell) (f32.add (f32.load (local.get $cell)) (f32.const 1)))
        (br_if $more (i32.ne (local.get $at) (local.get $end))))
      (if (i32.ge_s (i32.load offset=12 (local.get $zone)) (i32.const 0)) (then
        (call $set_one (local.get $to) (i32.add (i32.load offset=12 (local.get $zone)) (local.get $value)))))
      (local.set $place (i32.load offset=16 (local.get $zone)))
      (if (i32.ge_s (local.get $place) (i32.const 0)) (then
        (local.set $at (call $there (i32.load (local.get $zone))))
        (local.set $cell (i32.add (local.get $place)
          (i32.mul (i32.load offset=20 (local.get $zone)) (i32.const {{PLACES}}))))
        (loop $more
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (local.set $value (i32.load (i32.add (local.get $columns) (i32.shl {{LOOK}} (i32.const 2)))))
          (call $set_one (local.get $to) (i32.add (local.get $place) (local.get $value)))
          (local.set $place (i32.add (local.get $place) (i32.load offset=20 (local.get $zone))))
          (br_if $more (i32.and (i32.ne (local.get $at) (local.get $end))
                                (i32.lt_s (local.get $place) (local.get $cell)))))))))))
    (local.set $zone (i32.add (local.get $zone) (i32.const 24)))
    (br $next)))
  ;; counters: the cell, how it is told, where
  (local.set $zone (i32.add (i32.const {{HELD}}) (i32.mul (local.get $me) (i32.const {{HELD_SIZE}}))))
  (local.set $n (i32.add (local.get $zone) (i32.const {{HELD_SIZE}})))
  (block $counters (loop $next
    (br_if $counters (i32.eq (local.get $zone) (local.get $n)))
    (local.set $value (i32.load (call $there (i32.load (local.get $zone)))))
    (local.set $place (i32.load offset=8 (local.get $zone)))
    (local.set $cell (i32.load offset=4 (local.get $zone)))
    (if (i32.eqz (local.get $cell)) (then
      (f32.store (i32.add (local.get $to) (i32.shl (local.get $place) (i32.const 2))) (f32.convert_i32_s (local.get $value))))
    (else (if (i32.eq (local.get $cell) (i32.const 3)) (then
      (f32.store (i32.add (local.get $to) (i32.shl (local.get $place) (i32.const 2)))
        (f32.demote_f64 (f64.div (f64.convert_i32_s (local.get $value)) (f64.const 100)))))
    (else (if (i32.ge_s (local.get $value) (i32.const 0)) (then
      (if (i32.eq (local.get $cell) (i32.const 2)) (then
        (local.set $value (call $from (local.get $value) (local.get $me)))))
      (call $set_one (local.get $to) (i32.add (local.get $place) (local.get $value)))))))))
    (local.set $zone (i32.add (local.get $zone) (i32.const 12)))
    (br $next)))
  ;; what it is asked, and has chosen and done
  (call $set_one (local.get $to) (i32.add (i32.const {{O_SITES}}) (i32.load offset={{ASKED}} (local.get $game))))
  (if (i32.ge_s (i32.const {{O_LAST}}) (i32.const 0)) (then
    (local.set $value (i32.load offset={{LAST}} (i32.add (local.get $game) (i32.shl (local.get $me) (i32.const 2)))))
    (if (i32.ge_s (local.get $value) (i32.const 0)) (then
      (call $set_one (local.get $to) (i32.add (i32.const {{O_LAST}}) (local.get $value)))))))
  (if (i32.ge_s (i32.const {{O_SPAN}}) (i32.const 0)) (then
    (local.set $value (i32.load offset={{TAKEN}} (local.get $game)))
    (local.set $cell (i32.add (local.get $to) (i32.shl (i32.const {{O_SPAN}}) (i32.const 2))))
    (local.set $place (i32.sub (i32.load offset={{LEAST}} (local.get $game)) (local.get $value)))
    (if (i32.gt_s (local.get $place) (i32.const 0)) (then
      (f32.store (local.get $cell) (f32.convert_i32_s (local.get $place)))))
    (f32.store offset=4 (local.get $cell)
      (f32.convert_i32_s (i32.sub (i32.load offset={{MOST}} (local.get $game)) (local.get $value))))
    (local.set $n (i32.const 0))
    (block $done (loop $more
      (br_if $done (i32.ge_s (local.get $n) (local.get $value)))
      (local.set $cell (i32.add (local.get $to) (i32.shl (i32.add (i32.const {{O_PICKS}})
        (i32.load offset={{PICKS}} (i32.add (local.get $game) (i32.shl (local.get $n) (i32.const 2))))) (i32.const 2))))
      (f32.store (local.get $cell) (f32.add (f32.load (local.get $cell)) (f32.const 1)))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br $more))))))

(func $set_one (param $to i32) (param $place i32)
  (f32.store (i32.add (local.get $to) (i32.shl (local.get $place) (i32.const 2))) (f32.const 1)))

;; What has a size that is known, few bytes at a time: a call of the system takes longer where there are not many.
(func $clear_mask (param $to i32) {{CLEAR_MASK}})
(func $clear_vector (param $to i32) {{CLEAR_VECTOR}})
(func $take_up (param $to i32) (param $from i32) {{TAKE_UP}})

;; The first game that cannot take the action it is given, or -1.
(func (export "refused") (result i32)
  (local $n i32) (local $mask i32) (local $action i32)
  (local.set $mask (i32.const {{MASKS}}))
  (loop $more
    (local.set $action (i32.load offset={{GIVEN}} (i32.shl (local.get $n) (i32.const 2))))
    (if (i32.ge_u (local.get $action) (i32.const {{ACTION_COUNT}})) (then (return (local.get $n))))
    (if (i32.eqz (i32.load8_u (i32.add (local.get $mask) (local.get $action)))) (then (return (local.get $n))))
    (local.set $mask (i32.add (local.get $mask) (i32.const {{MASK_SIZE}})))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $n) (i32.const {{GAME_COUNT}}))))
  (i32.const -1))

;; For each game an action that it can take, each as likely as the others.
(func (export "sample")
  (local $n i32) (local $mask i32) (local $end i32) (local $at i32) (local $left i32) (local $found i32)
  (local.set $mask (i32.const {{MASKS}}))
  (loop $more
    (local.set $end (i32.add (local.get $mask) (i32.const {{MASK_SIZE}})))
    (local.set $at (local.get $mask))
    (local.set $left (i32.const 0))
    (loop $on
      (local.set $left (i32.add (local.get $left) (i32.popcnt (call $possible (local.get $at) (local.get $end)))))
      (br_if $on (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.set $left (i32.wrap_i64 (i64.shr_u
      (i64.mul (i64.extend_i32_u (call $bits (i32.const {{SAMPLER}}))) (i64.extend_i32_u (local.get $left)))
      (i64.const 32))))
    (local.set $at (i32.sub (local.get $mask) (i32.const 16)))
    (loop $on
      (local.set $found (call $possible (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))
      (if (i32.le_u (i32.popcnt (local.get $found)) (local.get $left)) (then
        (local.set $left (i32.sub (local.get $left) (i32.popcnt (local.get $found))))
        (br_if $on (i32.lt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end))))))
    (block $done (loop $on
      (br_if $done (i32.eqz (local.get $left)))
      (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br $on)))
    (i32.store offset={{SAMPLED}} (i32.shl (local.get $n) (i32.const 2))
      (i32.add (i32.sub (local.get $at) (local.get $mask)) (i32.ctz (local.get $found))))
    (local.set $mask (local.get $end))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $n) (i32.const {{GAME_COUNT}})))))

;; Which of the next sixteen actions can be taken, as bits.
(func $possible (param $at i32) (param $end i32) (result i32)
  (local $left i32)
  (local.set $left (i32.sub (local.get $end) (local.get $at)))
  (i32.and
    (i8x16.bitmask (i8x16.ne (v128.load (local.get $at)) (v128.const i64x2 0 0)))
    (i32.sub
      (i32.shl (i32.const 1) (select (local.get $left) (i32.const 16) (i32.lt_u (local.get $left) (i32.const 16))))
      (i32.const 1))))

;; Looks into the memory of the next game line by line, so that it comes near while this one is played: one after the
;; other, where the game asks for them, takes longer. What is read is of no use.
(func $reach (param $game i32) (result i64)
  {{REACH}})

;; One step of all games. Gives 0, or how one failed, of which the number is left in $PLAYED_OUT.
(func (export "step") (result i32)
  (local $n i32) (local $game i32) (local $ended i32) (local $mask i32)
  (local.set $game (i32.const {{GAMES}}))
  (local.set $mask (i32.const {{MASKS}}))
  (loop $more
    (i64.store (i32.const {{REACHED}}) (call $reach (i32.add (local.get $game) (i32.const {{GAME_SIZE}}))))
    (local.set $ended (call $act (local.get $game)
      (i32.load offset={{GIVEN}} (i32.shl (local.get $n) (i32.const 2)))
      (local.get $mask)
      (i32.add (i32.const {{ROWS}}) (i32.mul (local.get $n) (i32.const {{ROW_SIZE}})))
      (i32.add (i32.const {{DONE}}) (local.get $n))))
    (if (local.get $ended) (then
      (i32.store (global.get $PLAYED_OUT) (local.get $n))
      (return (local.get $ended))))
    (call $observe (local.get $game)
      (i32.add (i32.const {{VECTORS}}) (i32.mul (local.get $n) (i32.const {{VECTOR_SIZE}}))))
    (i32.store offset={{TURNS}} (i32.shl (local.get $n) (i32.const 2)) (i32.load offset={{SEAT}} (local.get $game)))
    (local.set $game (i32.add (local.get $game) (i32.const {{GAME_SIZE}})))
    (local.set $mask (i32.add (local.get $mask) (i32.const {{MASK_SIZE}})))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $n) (i32.const {{GAME_COUNT}}))))
  (i32.const 0))
