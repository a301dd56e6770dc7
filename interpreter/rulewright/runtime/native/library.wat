;; What the emitted code calls: the operations of operations.py and rng.py over linear memory.
;;
;; A vector is the address of its first item and the number of its items, both i32; items are i32. A function that makes
;; a vector is given the address where its items go, and gives how many there are. Behind every vector and set there is
;; room for eight more items, so that eight can be written at a time; what then stands behind the last item is of no use.
;; Only zones for one piece have none.
;; A zone has a mask too: of 16 bytes, with one bit for each piece, at $MASKS; with more than 128 pieces there are none.
;; Of some zones there is no list but only its size: their bytes at $COUNTED, which is 0 where there are none, are 1.
;; A branch that goes either way by chance costs more than several steps, so that some walks take the same way always.
;; A set in the state is its size, and then its items; $sets tells where each cell's set is. Zones are told by their cells.

;; ── errors ──

(func $error (param $kind i32) (param $argument i32) (result i32)
  (i32.store (global.get $ERROR) (local.get $argument))
  (local.get $kind))

(func $too_large (param $number i64) (result i32)
  (i64.gt_u (i64.add (local.get $number) (i64.const 2147483647)) (i64.const 4294967294)))

;; ── numbers ──

(func $divide_down (param $a i64) (param $b i64) (result i64)
  (i64.sub
    (i64.div_s (local.get $a) (local.get $b))
    (i64.extend_i32_u (i32.and
      (i64.ne (i64.rem_s (local.get $a) (local.get $b)) (i64.const 0))
      (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))))))

(func $divide_up (param $a i64) (param $b i64) (result i64)
  (i64.sub (i64.const 0) (call $divide_down (i64.sub (i64.const 0) (local.get $a)) (local.get $b))))

;; ── chance: sfc32 over the four cells at $g ──

(func $bits (param $g i32) (result i32)
  (local $b i32) (local $c i32) (local $n i32) (local $result i32)
  (local.set $b (i32.load offset=4 (local.get $g)))
  (local.set $c (i32.load offset=8 (local.get $g)))
  (local.set $n (i32.load offset=12 (local.get $g)))
  (local.set $result (i32.add (i32.add (i32.load (local.get $g)) (local.get $b)) (local.get $n)))
  (i32.store (local.get $g) (i32.xor (local.get $b) (i32.shr_u (local.get $b) (i32.const 9))))
  (i32.store offset=4 (local.get $g) (i32.mul (local.get $c) (i32.const 9)))
  (i32.store offset=8 (local.get $g) (i32.add (i32.rotl (local.get $c) (i32.const 21)) (local.get $result)))
  (i32.store offset=12 (local.get $g) (i32.add (local.get $n) (i32.const 1)))
  (local.get $result))

(func $seed (param $g i32) (param $seed i64) (param $stream i32)
  (local $a i32) (local $b i32) (local $n i32) (local $result i32)
  (local.set $a (i32.wrap_i64 (local.get $seed)))
  (local.set $b (i32.wrap_i64 (i64.shr_u (local.get $seed) (i64.const 32))))
  (local.set $n (i32.const 1))
  (loop $more
    (local.set $result (i32.add (i32.add (local.get $a) (local.get $b)) (local.get $n)))
    (local.set $a (i32.xor (local.get $b) (i32.shr_u (local.get $b) (i32.const 9))))
    (local.set $b (i32.mul (local.get $stream) (i32.const 9)))
    (local.set $stream (i32.add (i32.rotl (local.get $stream) (i32.const 21)) (local.get $result)))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $more (i32.le_u (local.get $n) (i32.const 12))))
  (i32.store (local.get $g) (local.get $a))
  (i32.store offset=4 (local.get $g) (local.get $b))
  (i32.store offset=8 (local.get $g) (local.get $stream))
  (i32.store offset=12 (local.get $g) (local.get $n)))

;; 32 bits whose product with the limit has an upper half that is fair
(func $fair (param $limit i64) (result i64)
  (local $number i64) (local $rest i64) (local $threshold i64)
  (local.set $number (i64.extend_i32_u (call $bits (global.get $RANDOM))))
  (local.set $rest (i64.and (i64.mul (local.get $number) (local.get $limit)) (i64.const 0xffffffff)))
  (if (i64.lt_u (local.get $rest) (local.get $limit)) (then
    (local.set $threshold (i64.rem_u (i64.sub (i64.const 0x100000000) (local.get $limit)) (local.get $limit)))
    (loop $again
      (if (i64.lt_u (local.get $rest) (local.get $threshold)) (then
        (local.set $number (i64.extend_i32_u (call $bits (global.get $RANDOM))))
        (local.set $rest (i64.and (i64.mul (local.get $number) (local.get $limit)) (i64.const 0xffffffff)))
        (br $again))))))
  (local.get $number))

(func $below (param $limit i64) (result i64)
  (i64.shr_u (i64.mul (call $fair (local.get $limit)) (local.get $limit)) (i64.const 32)))

;; int(random() * limit), of the generator of the answers
(func $chance (param $limit i32) (result i32)
  (i32.wrap_i64 (i64.shr_u
    (i64.mul (i64.extend_i32_u (call $bits (global.get $CHANCE))) (i64.extend_i32_u (local.get $limit)))
    (i64.const 32))))

;; ── random answers, as random_answers.py gives them ──

(func $pick_one (param $to i32) (param $p i32) (param $n i32) (result i32)
  (i32.store (local.get $to) (call $entry (local.get $p) (call $chance (local.get $n))))
  (i32.const 1))

(func $pick_up_to_one (param $to i32) (param $p i32) (param $n i32) (result i32)
  (local $place i32)
  (local.set $place (call $chance (i32.add (local.get $n) (i32.const 1))))
  (i32.store (local.get $to)
    (i32.load (i32.add (local.get $p) (i32.shl (i32.sub (local.get $place) (i32.const 1)) (i32.const 2)))))
  (i32.ne (local.get $place) (i32.const 0)))

;; likewise of so many numbers, one after the other from the first on

(func $pick_number (param $to i32) (param $first i32) (param $n i32) (result i32)
  (i32.store (local.get $to) (i32.add (local.get $first) (call $chance (local.get $n))))
  (i32.const 1))

(func $pick_up_to_one_number (param $to i32) (param $first i32) (param $n i32) (result i32)
  (local $place i32)
  (local.set $place (call $chance (i32.add (local.get $n) (i32.const 1))))
  (i32.store (local.get $to) (i32.add (local.get $first) (i32.sub (local.get $place) (i32.const 1))))
  (i32.ne (local.get $place) (i32.const 0)))

;; of candidates that all differ
(func $pick (param $to i32) (param $p i32) (param $n i32) (param $least i64) (param $most i64) (result i32)
  (local $wanted i32) (local $start i32) (local $chosen i32)
  (local.set $wanted (call $limit_of (local.get $n) (local.get $most)))
  (if (i32.eqz (local.get $wanted)) (then (return (i32.const 0))))
  (if (i32.eq (local.get $wanted) (i32.const 1)) (then
    (if (i64.lt_s (local.get $least) (i64.const 1)) (then
      (return (call $pick_up_to_one (local.get $to) (local.get $p) (local.get $n))))))
  (else (if (i64.lt_s (local.get $least) (i64.extend_i32_u (local.get $wanted))) (then
    (local.set $wanted (call $size_of_set (local.get $n) (call $at_least_none (local.get $least)) (local.get $wanted)))
    (if (i32.eqz (local.get $wanted)) (then (return (i32.const 0))))))))
  (if (i32.eq (local.get $wanted) (i32.const 1)) (then
    (return (call $pick_one (local.get $to) (local.get $p) (local.get $n)))))
  (if (i32.eq (local.get $wanted) (local.get $n)) (then
    (return (call $copy (local.get $to) (local.get $p) (local.get $n)))))
  (local.set $start (local.get $to))
  (loop $more
    (i32.store (local.get $to) (i32.load (local.get $p)))
    (local.set $chosen (i64.lt_u
      (i64.mul (i64.extend_i32_u (call $bits (global.get $CHANCE))) (i64.extend_i32_u (local.get $n)))
      (i64.shl (i64.extend_i32_u (local.get $wanted)) (i64.const 32))))
    (local.set $to (i32.add (local.get $to) (i32.shl (local.get $chosen) (i32.const 2))))
    (local.set $wanted (i32.sub (local.get $wanted) (local.get $chosen)))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br_if $more (local.get $wanted)))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; how many of so many candidates can be chosen at most
(func $limit_of (param $n i32) (param $most i64) (result i32)
  (if (i64.gt_s (local.get $most) (i64.extend_i32_u (local.get $n))) (then (return (local.get $n))))
  (i32.wrap_i64 (select (local.get $most) (i64.const 0) (i64.gt_s (local.get $most) (i64.const 0)))))

(func $at_least_none (param $least i64) (result i32)
  (i32.wrap_i64 (select (local.get $least) (i64.const 0) (i64.gt_s (local.get $least) (i64.const 0)))))

(func $fraction (result f64)
  (f64.mul (f64.convert_i32_u (call $bits (global.get $CHANCE))) (f64.const 0x1p-32)))

;; how many of so many different things are chosen, from least to limit of them, all sets being equally likely
(func $size_of_set (param $n i32) (param $least i32) (param $limit i32) (result i32)
  (local $wanted i32) (local $sets f64) (local $left f64)
  (local.set $wanted (local.get $least))
  (local.set $sets (f64.const 1))
  (loop $more
    (local.set $left (f64.add (local.get $left) (local.get $sets)))
    (local.set $sets (call $next_size (local.get $sets) (local.get $n) (local.get $wanted)))
    (br_if $more (i32.le_s (local.tee $wanted (i32.add (local.get $wanted) (i32.const 1))) (local.get $limit))))
  (local.set $left (f64.mul (call $fraction) (local.get $left)))
  (local.set $wanted (local.get $least))
  (local.set $sets (f64.const 1))
  (block $found (loop $more
    (br_if $found (i32.eq (local.get $wanted) (local.get $limit)))
    (br_if $found (f64.lt (local.get $left) (local.get $sets)))
    (local.set $left (f64.sub (local.get $left) (local.get $sets)))
    (local.set $sets (call $next_size (local.get $sets) (local.get $n) (local.get $wanted)))
    (local.set $wanted (i32.add (local.get $wanted) (i32.const 1)))
    (br $more)))
  (local.get $wanted))

;; how many sets there are with one more
(func $next_size (param $sets f64) (param $n i32) (param $wanted i32) (result f64)
  (f64.div
    (f64.mul (local.get $sets) (f64.convert_i32_s (i32.sub (local.get $n) (local.get $wanted))))
    (f64.convert_i32_s (i32.add (local.get $wanted) (i32.const 1)))))

;; of candidates of which some may look alike to a seat; of these the first ones are taken
(func $pick_alike (param $to i32) (param $p i32) (param $n i32) (param $least i64) (param $most i64) (param $seat i32)
  (result i32)
  (local $limit i32) (local $kinds i32) (local $kind i32) (local $wanted i32) (local $ways i32) (local $taken i32)
  (local $top i32) (local $left f64) (local $start i32)
  (local.set $limit (call $limit_of (local.get $n) (local.get $most)))
  (if (i32.eqz (local.get $limit)) (then (return (i32.const 0))))
  (if (i32.eq (local.get $limit) (i32.const 1)) (then
    (return (call $pick_one_alike (local.get $to) (local.get $p) (local.get $n)
      (i64.lt_s (local.get $least) (i64.const 1)) (local.get $seat)))))
  (local.set $kinds (call $kinds_of (local.get $p) (local.get $n) (local.get $seat)))
  (if (i32.eq (local.get $kinds) (local.get $n)) (then
    (return (call $pick (local.get $to) (local.get $p) (local.get $n) (local.get $least) (local.get $most)))))
  (call $count_ways (local.get $kinds) (local.get $limit))
  (local.set $wanted (local.get $limit))
  (if (i64.lt_s (local.get $least) (i64.extend_i32_u (local.get $limit))) (then
    (local.set $wanted (call $size_in_row (call $at_least_none (local.get $least)) (local.get $limit)))))
  (if (i32.eqz (local.get $wanted)) (then (return (i32.const 0))))
  (if (i32.eq (local.get $wanted) (local.get $n)) (then
    (return (call $copy (local.get $to) (local.get $p) (local.get $n)))))
  (local.set $ways (global.get $WAYS))
  (local.set $limit (i32.shl (i32.add (local.get $limit) (i32.const 1)) (i32.const 3)))
  (loop $of_kind  ;; how many of each kind
    (local.set $taken (i32.const 0))
    (if (local.get $wanted) (then
      (local.set $top (call $entry (global.get $ORDER) (local.get $kind)))
      (if (i32.gt_s (local.get $top) (local.get $wanted)) (then (local.set $top (local.get $wanted))))
      (local.set $left (f64.mul (call $fraction)
        (f64.load (i32.add (local.get $ways) (i32.shl (local.get $wanted) (i32.const 3))))))
      (local.set $start (i32.add (i32.add (local.get $ways) (local.get $limit)) (i32.shl (local.get $wanted) (i32.const 3))))
      (block $found (loop $more
        (br_if $found (i32.eq (local.get $taken) (local.get $top)))
        (br_if $found (f64.lt (local.get $left) (f64.load (local.get $start))))
        (local.set $left (f64.sub (local.get $left) (f64.load (local.get $start))))
        (local.set $start (i32.sub (local.get $start) (i32.const 8)))
        (local.set $taken (i32.add (local.get $taken) (i32.const 1)))
        (br $more)))))
    (i32.store (i32.add (global.get $ORDER) (i32.shl (local.get $kind) (i32.const 2))) (local.get $taken))
    (local.set $wanted (i32.sub (local.get $wanted) (local.get $taken)))
    (local.set $ways (i32.add (local.get $ways) (local.get $limit)))
    (br_if $of_kind (i32.lt_u (local.tee $kind (i32.add (local.get $kind) (i32.const 1))) (local.get $kinds))))
  (local.set $start (local.get $to))
  (local.set $kinds (global.get $TEMPORARY))
  (loop $more
    (local.set $kind (i32.add (global.get $ORDER) (i32.shl (i32.load (local.get $kinds)) (i32.const 2))))
    (local.set $taken (i32.load (local.get $kind)))
    (i32.store (local.get $to) (i32.load (local.get $p)))
    (local.set $to (i32.add (local.get $to) (i32.shl (i32.ne (local.get $taken) (i32.const 0)) (i32.const 2))))
    (i32.store (local.get $kind) (i32.sub (local.get $taken) (i32.ne (local.get $taken) (i32.const 0))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $kinds (i32.add (local.get $kinds) (i32.const 4)))
    (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; one of them; none: 1 where none is an answer, too
(func $pick_one_alike (param $to i32) (param $p i32) (param $n i32) (param $none i32) (param $seat i32) (result i32)
  (local $place i32)
  (loop $again
    (local.set $place (i32.sub (call $chance (i32.add (local.get $n) (local.get $none))) (local.get $none)))
    (if (i32.lt_s (local.get $place) (i32.const 0)) (then (return (i32.const 0))))
    (br_if $again (i32.lt_u (call $first_alike (local.get $p) (local.get $place) (local.get $seat)) (local.get $place))))
  (i32.store (local.get $to) (call $entry (local.get $p) (local.get $place)))
  (i32.const 1))

;; where the first candidate stands that looks to a seat like the one at a place
(func $first_alike (param $p i32) (param $place i32) (param $seat i32) (result i32)
  (local $item i32) (local $zone i32) (local $sight i32) (local $other i32) (local $at i32)
  (local.set $item (call $entry (local.get $p) (local.get $place)))
  (local.set $zone (call $zone_of (local.get $item)))
  (local.set $sight (call $sight_of (local.get $zone) (local.get $seat)))
  (if (i32.or (i32.eqz (local.get $sight))
              (i32.and (i32.eq (local.get $sight) (i32.const 2)) (call $is_unlike (local.get $item)))) (then
    (return (local.get $place))))
  (block $found (loop $more
    (br_if $found (i32.eq (local.get $at) (local.get $place)))
    (local.set $other (call $entry (local.get $p) (local.get $at)))
    (if (i32.eq (call $zone_of (local.get $other)) (local.get $zone)) (then
      (br_if $found (i32.eq (local.get $sight) (i32.const 1)))
      (br_if $found (call $shows_alike (local.get $other) (local.get $item)))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br $more)))
  (local.get $at))

;; how a seat tells pieces in a zone apart: 0 as it has room for one, 1 by nothing, 2 by what they show
(func $sight_of (param $zone i32) (param $seat i32) (result i32)
  (i32.load8_u offset=$SIGHT
    (i32.add (i32.mul (local.get $seat) (global.get $SIGHT_WIDTH)) (local.get $zone))))

;; whether no other piece ever shows what it shows
(func $is_unlike (param $piece i32) (result i32)
  (i32.load8_u offset=$UNLIKE (local.get $piece)))

(func $shows_alike (param $one i32) (param $other i32) (result i32)
  (local $mark i32) (local $end i32)
  (if (i64.ne (call $looks (local.get $one)) (call $looks (local.get $other))) (then (return (i32.const 0))))
  (local.set $mark (global.get $SHOWN_MARKS))
  (local.set $end (call $end_of (local.get $mark)))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $mark) (local.get $end)))
    (local.set $mark (i32.add (local.get $mark) (i32.const 4)))
    (if (i32.ne
          (call $entry (call $there (i32.load (local.get $mark))) (local.get $one))
          (call $entry (call $there (i32.load (local.get $mark))) (local.get $other)))
      (then (return (i32.const 0))))
    (br $more)))
  (i32.const 1))

;; How many kinds of candidates there are that look alike. At $TEMPORARY stands the kind of each, at $SORTED where the
;; first of a kind stands, at $ORDER how many it has.
(func $kinds_of (param $p i32) (param $n i32) (param $seat i32) (result i32)
  (local $place i32) (local $first i32) (local $kinds i32) (local $kind i32)
  (loop $more
    (local.set $first (call $first_alike (local.get $p) (local.get $place) (local.get $seat)))
    (local.set $kind (call $entry (global.get $TEMPORARY) (local.get $first)))
    (if (i32.eq (local.get $first) (local.get $place)) (then
      (local.set $kind (local.get $kinds))
      (i32.store (i32.add (global.get $ORDER) (i32.shl (local.get $kind) (i32.const 2))) (i32.const 0))
      (local.set $kinds (i32.add (local.get $kinds) (i32.const 1)))))
    (i32.store (i32.add (global.get $TEMPORARY) (i32.shl (local.get $place) (i32.const 2))) (local.get $kind))
    (i32.store (i32.add (global.get $ORDER) (i32.shl (local.get $kind) (i32.const 2)))
      (i32.add (call $entry (global.get $ORDER) (local.get $kind)) (i32.const 1)))
    (br_if $more (i32.lt_u (local.tee $place (i32.add (local.get $place) (i32.const 1))) (local.get $n))))
  (local.get $kinds))

;; From each kind on, and behind the last, in how many ways 0, 1 … limit of them can be chosen: a row of numbers each.
(func $count_ways (param $kinds i32) (param $limit i32)
  (local $row i32) (local $rest i32) (local $width i32) (local $wanted i32) (local $count i32) (local $from i32)
  (local $sum f64)
  (local.set $width (i32.shl (i32.add (local.get $limit) (i32.const 1)) (i32.const 3)))
  (local.set $row (i32.add (global.get $WAYS) (i32.mul (local.get $kinds) (local.get $width))))
  (memory.fill (local.get $row) (i32.const 0) (local.get $width))
  (f64.store (local.get $row) (f64.const 1))
  (loop $of_kind
    (local.set $kinds (i32.sub (local.get $kinds) (i32.const 1)))
    (local.set $rest (local.get $row))
    (local.set $row (i32.sub (local.get $row) (local.get $width)))
    (local.set $count (i32.shl (call $entry (global.get $ORDER) (local.get $kinds)) (i32.const 3)))
    (f64.store (local.get $row) (f64.load (local.get $rest)))
    (local.set $wanted (i32.const 8))
    (loop $of_size
      (local.set $sum (f64.const 0))
      (local.set $from (local.get $wanted))
      (loop $more
        (local.set $sum (f64.add (local.get $sum) (f64.load (i32.add (local.get $rest) (local.get $from)))))
        (local.set $from (i32.sub (local.get $from) (i32.const 8)))
        (br_if $more (i32.and
          (i32.ge_s (local.get $from) (i32.const 0))
          (i32.ge_s (i32.add (local.get $from) (local.get $count)) (local.get $wanted)))))
      (f64.store (i32.add (local.get $row) (local.get $wanted)) (local.get $sum))
      (local.set $wanted (i32.add (local.get $wanted) (i32.const 8)))
      (br_if $of_size (i32.lt_u (local.get $wanted) (local.get $width))))
    (br_if $of_kind (local.get $kinds))))

;; how many are chosen, from least to limit, by the first of these rows
(func $size_in_row (param $least i32) (param $limit i32) (result i32)
  (local $left f64) (local $at i32) (local $end i32)
  (local.set $least (i32.add (global.get $WAYS) (i32.shl (local.get $least) (i32.const 3))))
  (local.set $end (i32.add (global.get $WAYS) (i32.shl (local.get $limit) (i32.const 3))))
  (local.set $at (local.get $least))
  (loop $more
    (local.set $left (f64.add (local.get $left) (f64.load (local.get $at))))
    (br_if $more (i32.le_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $end))))
  (local.set $left (f64.mul (call $fraction) (local.get $left)))
  (local.set $at (local.get $least))
  (block $found (loop $more
    (br_if $found (i32.eq (local.get $at) (local.get $end)))
    (br_if $found (f64.lt (local.get $left) (f64.load (local.get $at))))
    (local.set $left (f64.sub (local.get $left) (f64.load (local.get $at))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br $more)))
  (i32.shr_u (i32.sub (local.get $at) (global.get $WAYS)) (i32.const 3)))

(func $draw (param $p i32) (param $n i32) (param $wanted i64) (result i32)
  (local $to i32) (local $start i32)
  (local.set $start (local.tee $to (local.get $p)))
  (block $done (loop $more
    (br_if $done (i32.eqz (local.get $n)))
    (br_if $done (i64.le_s (local.get $wanted) (i64.const 0)))
    (if (i64.lt_s (call $below (i64.extend_i32_u (local.get $n))) (local.get $wanted)) (then
      (i32.store (local.get $to) (i32.load (local.get $p)))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $wanted (i64.sub (local.get $wanted) (i64.const 1)))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br $more)))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; ── vectors ──

;; four at a time, and at least four; where the two overlap, $to is before $p
(func $copy (param $to i32) (param $p i32) (param $n i32) (result i32)
  (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (loop $more
    (v128.store (local.get $to) (v128.load (local.get $p)))
    (local.set $to (i32.add (local.get $to) (i32.const 16)))
    (br_if $more (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
  (local.get $n))

;; Of vectors with at most four items:

(func $copy_of_few (param $to i32) (param $p i32) (param $n i32) (result i32)
  (v128.store (local.get $to) (v128.load (local.get $p)))
  (local.get $n))

(func $join_of_few (param $to i32) (param $p i32) (param $n i32) (param $q i32) (param $m i32) (result i32)
  (v128.store (local.get $to) (v128.load (local.get $p)))
  (v128.store (i32.add (local.get $to) (i32.shl (local.get $n) (i32.const 2))) (v128.load (local.get $q)))
  (i32.add (local.get $n) (local.get $m)))


(func $copy_back (param $to i32) (param $p i32) (param $n i32)  ;; where $to is behind $p, and they overlap
  (loop $more
    (if (local.get $n) (then
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (i32.store
        (i32.add (local.get $to) (i32.shl (local.get $n) (i32.const 2)))
        (i32.load (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2)))))
      (br $more)))))

(func $entry (param $table i32) (param $index i32) (result i32)
  (i32.load (i32.add (local.get $table) (i32.shl (local.get $index) (i32.const 2)))))

(func $item (param $p i32) (param $n i32) (param $index i64) (result i64)
  (i64.load32_s (i32.add (local.get $p) (i32.shl
    (i32.add
      (i32.wrap_i64 (local.get $index))
      (i32.and (local.get $n) (i32.wrap_i64 (i64.shr_s (local.get $index) (i64.const 63)))))
    (i32.const 2)))))

;; four at a time
(func $span (param $first i64) (param $last i64) (param $most i64) (result i32)  ;; how many they are
  (local.set $last (i64.add (i64.sub (local.get $last) (local.get $first)) (i64.const 1)))
  (local.set $last (select (local.get $last) (local.get $most) (i64.lt_s (local.get $last) (local.get $most))))
  (i32.wrap_i64 (select (local.get $last) (i64.const 0) (i64.gt_s (local.get $last) (i64.const 0)))))

(func $numbers (param $to i32) (param $first i64) (param $last i64) (param $most i32) (result i32)
  (local $n i64) (local $end i32) (local $items v128)
  (local.set $n (i64.add (i64.sub (local.get $last) (local.get $first)) (i64.const 1)))
  (if (i64.le_s (local.get $n) (i64.const 0)) (then (return (i32.const 0))))
  (if (i64.gt_s (local.get $n) (i64.extend_i32_u (local.get $most))) (then
    (local.set $n (i64.extend_i32_u (local.get $most)))))
  (local.set $items (i32x4.add (i32x4.splat (i32.wrap_i64 (local.get $first))) (v128.const i32x4 0 1 2 3)))
  (local.set $end (i32.add (local.get $to) (i32.shl (i32.wrap_i64 (local.get $n)) (i32.const 2))))
  (loop $more
    (v128.store (local.get $to) (local.get $items))
    (local.set $items (i32x4.add (local.get $items) (v128.const i32x4 4 4 4 4)))
    (br_if $more (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 16))) (local.get $end))))
  (i32.wrap_i64 (local.get $n)))

;; four at a time; those behind the last item do not count
(func $has (param $p i32) (param $n i32) (param $wanted i64) (result i64)
  (local $items v128) (local $found i32)
  (local.set $items (i32x4.splat (i32.wrap_i64 (local.get $wanted))))
  (block $done (loop $more
    (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
    (local.set $found (i32x4.bitmask (i32x4.eq (local.get $items) (v128.load (local.get $p)))))
    (if (i32.lt_s (local.get $n) (i32.const 4)) (then
      (local.set $found (i32.and (local.get $found)
        (i32.sub (i32.shl (i32.const 1) (local.get $n)) (i32.const 1))))))
    (br_if $done (local.get $found))
    (local.set $p (i32.add (local.get $p) (i32.const 16)))
    (local.set $n (i32.sub (local.get $n) (i32.const 4)))
    (br $more)))
  (i64.extend_i32_u (i32.and
    (i32.ne (local.get $found) (i32.const 0))
    (i64.eq (local.get $wanted) (i64.extend32_s (local.get $wanted))))))

(func $greatest (param $p i32) (param $n i32) (result i64)
  (local $best i64) (local $item i64)
  (if (i32.eqz (local.get $n)) (then (return (i64.const 0))))
  (local.set $best (i64.load32_s (local.get $p)))
  (loop $more
    (local.set $item (i64.load32_s (local.get $p)))
    (local.set $best (select (local.get $item) (local.get $best) (i64.gt_s (local.get $item) (local.get $best))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
  (local.get $best))

(func $smallest (param $p i32) (param $n i32) (result i64)
  (local $best i64) (local $item i64)
  (if (i32.eqz (local.get $n)) (then (return (i64.const 0))))
  (local.set $best (i64.load32_s (local.get $p)))
  (loop $more
    (local.set $item (i64.load32_s (local.get $p)))
    (local.set $best (select (local.get $item) (local.get $best) (i64.lt_s (local.get $item) (local.get $best))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
  (local.get $best))

(func $longest_run (param $p i32) (param $n i32) (result i64)
  (local $longest i64) (local $length i64) (local $item i64) (local $previous i64)
  (drop (call $copy (global.get $TEMPORARY) (local.get $p) (local.get $n)))
  (call $sort_numbers (global.get $TEMPORARY) (local.get $n))
  (local.set $p (global.get $TEMPORARY))
  (local.set $previous (i64.const 0x7fffffffffff))
  (block $done (loop $more
    (br_if $done (i32.eqz (local.get $n)))
    (local.set $item (i64.load32_s (local.get $p)))
    (if (i64.ne (local.get $item) (local.get $previous)) (then
      (if (i64.eq (local.get $item) (i64.add (local.get $previous) (i64.const 1)))
        (then (local.set $length (i64.add (local.get $length) (i64.const 1))))
        (else (local.set $length (i64.const 1))))
      (if (i64.gt_s (local.get $length) (local.get $longest)) (then (local.set $longest (local.get $length))))
      (local.set $previous (local.get $item))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br $more)))
  (local.get $longest))

(func $tally (param $p i32) (param $n i32) (param $table i32) (result i64)
  (local $total i64)
  (if (local.get $n) (then
    (loop $more
      (local.set $total (i64.add (local.get $total)
        (i64.load32_s offset=$table (i32.shl (i32.load (local.get $p)) (i32.const 2)))))
      (local.set $p (i32.add (local.get $p) (i32.const 4)))
      (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))
  (local.get $total))

(func $none_of (param $p i32) (param $n i32) (param $table i32) (result i64)
  (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (br_if $done (i32.load offset=$table (i32.shl (i32.load (local.get $p)) (i32.const 2))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (i64.extend_i32_u (i32.eq (local.get $p) (local.get $end))))

(func $count_of (param $p i32) (param $n i32) (param $table i32) (param $value i64) (result i64)
  (local $total i32)
  (if (local.get $n) (then
    (loop $more
      (local.set $total (i32.add (local.get $total) (i32.eq
        (i32.load offset=$table (i32.shl (i32.load (local.get $p)) (i32.const 2)))
        (i32.wrap_i64 (local.get $value)))))
      (local.set $p (i32.add (local.get $p) (i32.const 4)))
      (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))
  (i64.extend_i32_u (local.get $total)))

;; Below, an item is written in any case, and the place to write moves on only where the item is kept.

;; of at most one item

(func $tally_of_one (param $p i32) (param $n i32) (param $table i32) (result i64)
  (i64.mul (i64.extend_i32_u (local.get $n))
    (i64.load32_s offset=$table (i32.shl (i32.load (local.get $p)) (i32.const 2)))))

(func $count_of_one (param $p i32) (param $n i32) (param $table i32) (param $value i64) (result i64)
  (i64.extend_i32_u (i32.and (local.get $n) (i32.eq
    (i32.load offset=$table (i32.shl (i32.load (local.get $p)) (i32.const 2)))
    (i32.wrap_i64 (local.get $value))))))

(func $filter (param $to i32) (param $p i32) (param $n i32) (param $table i32) (result i32)
  (local $start i32) (local $item i32) (local $end i32)
  (local.set $start (local.get $to))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (if (local.get $n) (then
    (loop $more
      (i32.store (local.get $to) (local.tee $item (i32.load (local.get $p))))
      (local.set $to (i32.add (local.get $to) (i32.shl
        (i32.ne (i32.load offset=$table (i32.shl (local.get $item) (i32.const 2))) (i32.const 0)) (i32.const 2))))
      (br_if $more (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 4))) (local.get $end))))))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; likewise, where the entries are 0 and 1
(func $filter_of_kind (param $to i32) (param $p i32) (param $n i32) (param $table i32) (result i32)
  (local $start i32) (local $item i32) (local $end i32)
  (local.set $start (local.get $to))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (if (local.get $n) (then
    (loop $more
      (i32.store (local.get $to) (local.tee $item (i32.load (local.get $p))))
      (local.set $to (i32.add (local.get $to) (i32.shl
        (i32.load offset=$table (i32.shl (local.get $item) (i32.const 2))) (i32.const 2))))
      (br_if $more (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 4))) (local.get $end))))))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

(func $select (param $to i32) (param $p i32) (param $n i32) (param $table i32) (param $value i64) (result i32)
  (local $start i32) (local $item i32) (local $end i32)
  (local.set $start (local.get $to))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (if (local.get $n) (then
    (loop $more
      (i32.store (local.get $to) (local.tee $item (i32.load (local.get $p))))
      (local.set $to (i32.add (local.get $to) (i32.shl
        (i32.eq (i32.load offset=$table (i32.shl (local.get $item) (i32.const 2))) (i32.wrap_i64 (local.get $value))) (i32.const 2))))
      (br_if $more (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 4))) (local.get $end))))))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; the first of them
(func $select_one (param $to i32) (param $p i32) (param $n i32) (param $table i32) (param $value i64) (result i32)
  (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (i32.store (local.get $to) (i32.load (local.get $p)))
    (if (i64.eq (local.get $value) (i64.load32_s
          (i32.add (local.get $table) (i32.shl (i32.load (local.get $p)) (i32.const 2)))))
      (then (return (i32.const 1))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (i32.const 0))

(func $fitting (param $to i32) (param $p i32) (param $n i32) (param $table i32) (param $room i64) (result i32)
  (local $end i32) (local $start i32) (local $item i32)
  (if (i64.le_s (i64.extend_i32_u (local.get $n)) (local.get $room)) (then
    (return (call $copy (local.get $to) (local.get $p) (local.get $n)))))
  (local.set $start (local.get $to))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (if (i32.ne (local.get $p) (local.get $end)) (then
    (loop $more
      (i32.store (local.get $to) (local.tee $item (i32.load (local.get $p))))
      (if (call $entry (local.get $table) (local.get $item))
        (then (if (i64.gt_s (local.get $room) (i64.const 0)) (then
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (local.set $room (i64.sub (local.get $room) (i64.const 1))))))
        (else (local.set $to (i32.add (local.get $to) (i32.const 4)))))
      (local.set $p (i32.add (local.get $p) (i32.const 4)))
      (br_if $more (i32.ne (local.get $p) (local.get $end))))))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; how many of $n items a wish for so many comes to
(func $among (param $n i32) (param $wanted i64) (result i32)
  (select
    (local.get $n)
    (select (i32.const 0) (i32.wrap_i64 (local.get $wanted)) (i64.le_s (local.get $wanted) (i64.const 0)))
    (i64.ge_s (local.get $wanted) (i64.extend_i32_u (local.get $n)))))

(func $back (param $to i32) (param $p i32) (param $n i32) (param $wanted i64) (result i32)
  (local $end i32)
  (local.set $wanted (i64.extend_i32_u (call $among (local.get $n) (local.get $wanted))))
  (local.set $p (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (local.set $end (i32.add (local.get $to) (i32.shl (i32.wrap_i64 (local.get $wanted)) (i32.const 2))))
  (loop $more
    (local.set $p (i32.sub (local.get $p) (i32.const 16)))
    (v128.store (local.get $to)
      (i8x16.shuffle 12 13 14 15 8 9 10 11 4 5 6 7 0 1 2 3 (v128.load (local.get $p)) (v128.load (local.get $p))))
    (br_if $more (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 16))) (local.get $end))))
  (i32.wrap_i64 (local.get $wanted)))

(func $join (param $to i32) (param $p i32) (param $n i32) (param $q i32) (param $m i32) (result i32)
  (drop (call $copy (local.get $to) (local.get $p) (local.get $n)))
  (drop (call $copy (i32.add (local.get $to) (i32.shl (local.get $n) (i32.const 2))) (local.get $q) (local.get $m)))
  (i32.add (local.get $n) (local.get $m)))

(func $gather (param $to i32) (param $p i32) (param $n i32) (param $cell i32) (result i32)
  (local $start i32) (local $set i32)
  (local.set $start (local.get $to))
  (block $done (loop $more
    (br_if $done (i32.eqz (local.get $n)))
    (local.set $set (call $set (i32.add (local.get $cell) (i32.load (local.get $p)))))
    (local.set $to (i32.add (local.get $to) (i32.shl
      (call $copy (local.get $to) (i32.add (local.get $set) (i32.const 4)) (i32.load (local.get $set)))
      (i32.const 2))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br $more)))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; Marks are one byte for each number that a piece, seat, word or nothing (-1) can have; they are 0 between operations.

(func $mark (param $item i32) (param $mark i32)
  (i32.store8 (i32.add (global.get $MARKS) (local.get $item)) (local.get $mark)))

(func $marked (param $item i32) (result i32)
  (i32.load8_u (i32.add (global.get $MARKS) (local.get $item))))

(func $mark_all (param $p i32) (param $n i32) (param $mark i32)
  (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (i32.store8 (i32.add (global.get $MARKS) (i32.load (local.get $p))) (local.get $mark))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more))))

;; the items each once, where they are
(func $once (param $p i32) (param $n i32) (result i32)
  (local $end i32) (local $start i32) (local $to i32) (local $item i32)
  (local.set $start (local.tee $to (local.get $p)))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (if (i32.ne (local.get $p) (local.get $end)) (then
    (loop $more
      (local.set $item (i32.load (local.get $p)))
      (if (i32.eqz (call $marked (local.get $item))) (then
        (call $mark (local.get $item) (i32.const 1))
        (i32.store (local.get $to) (local.get $item))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))))
      (local.set $p (i32.add (local.get $p) (i32.const 4)))
      (br_if $more (i32.ne (local.get $p) (local.get $end))))))
  (local.set $n (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))
  (call $mark_all (local.get $start) (local.get $n) (i32.const 0))
  (local.get $n))

(func $without_nothing (param $p i32) (param $n i32) (result i32)
  (call $mark (i32.const -1) (i32.const 1))
  (local.set $n (call $once (local.get $p) (local.get $n)))
  (call $mark (i32.const -1) (i32.const 0))
  (local.get $n))

(func $unite (param $to i32) (param $p i32) (param $n i32) (param $q i32) (param $m i32) (result i32)
  (call $once (local.get $to)
    (call $join (local.get $to) (local.get $p) (local.get $n) (local.get $q) (local.get $m))))

(func $entries (param $to i32) (param $p i32) (param $n i32) (param $table i32) (result i32)
  (local $left i32)
  (if (local.tee $left (local.get $n)) (then
    (loop $more
      (i32.store (local.get $to)
        (i32.load offset=$table (i32.shl (i32.load (local.get $p)) (i32.const 2))))
      (local.set $p (i32.add (local.get $p) (i32.const 4)))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (br_if $more (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
  (local.get $n))

(func $images (param $to i32) (param $p i32) (param $n i32) (param $table i32) (result i32)
  (local $i i32)
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $i) (local.get $n)))
    (i32.store
      (i32.add (local.get $to) (i32.shl (local.get $i) (i32.const 2)))
      (call $entry (local.get $table) (call $entry (local.get $p) (local.get $i))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $more)))
  (call $without_nothing (local.get $to) (local.get $n)))

(func $lying (param $to i32) (param $p i32) (param $n i32) (param $table i32) (param $cell i32) (result i32)
  (local $start i32) (local $end i32) (local $item i32) (local $at i32)
  (local.set $start (local.get $to))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (local.set $cell (i32.add (global.get $CELLS) (i32.shl (local.get $cell) (i32.const 2))))
  (call $mark (i32.const -1) (i32.const 1))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $item (call $entry (local.get $table) (call $entry (local.get $cell) (i32.load (local.get $p)))))
    (local.set $at (i32.add (global.get $MARKS) (local.get $item)))
    (i32.store (local.get $to) (local.get $item))
    (local.set $to (i32.add (local.get $to) (i32.shl (i32.eqz (i32.load8_u (local.get $at))) (i32.const 2))))
    (i32.store8 (local.get $at) (i32.const 1))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (call $mark (i32.const -1) (i32.const 0))
  (local.set $n (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))
  (call $in_order (local.get $start) (local.get $n))
  (local.get $n))

;; Puts marked items, none of which is less than 0, in order, and takes their marks away: many by a walk over all marks.
(func $in_order (param $p i32) (param $n i32)
  (local $at i32) (local $end i32) (local $marked i32)
  (if (i32.lt_u (local.get $n) (i32.const 16))
    (then
      (call $mark_all (local.get $p) (local.get $n) (i32.const 0))
      (call $sort_numbers (local.get $p) (local.get $n)))
    (else
      (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
      (loop $more
        (local.set $marked (i32.load8_u (i32.add (global.get $MARKS) (local.get $at))))
        (i32.store8 (i32.add (global.get $MARKS) (local.get $at)) (i32.const 0))
        (i32.store (local.get $p) (local.get $at))
        (local.set $p (i32.add (local.get $p) (i32.shl (local.get $marked) (i32.const 2))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $more (i32.ne (local.get $p) (local.get $end)))))))

(func $within (param $to i32) (param $p i32) (param $n i32) (param $table i32) (param $q i32) (param $m i32) (result i32)
  (local $start i32) (local $item i32)
  (local.set $start (local.get $to))
  (call $mark_all (local.get $q) (local.get $m) (i32.const 1))
  (block $done (loop $more
    (br_if $done (i32.eqz (local.get $n)))
    (i32.store (local.get $to) (local.tee $item (i32.load (local.get $p))))
    (local.set $to (i32.add (local.get $to) (i32.shl
      (call $marked (call $entry (local.get $table) (local.get $item))) (i32.const 2))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br $more)))
  (call $mark_all (local.get $q) (local.get $m) (i32.const 0))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; A map tells of each number below a bound whether it is an item: its byte is 1. The byte before that of 0 is nothing's.
(func $map (param $map i32) (param $bound i32) (param $p i32) (param $n i32)
  (local $at i32) (local $end i32) (local $item i32)
  (local.set $at (i32.sub (local.get $map) (i32.const 1)))
  (local.set $end (i32.add (local.get $map) (local.get $bound)))
  (loop $more
    (v128.store (local.get $at) (v128.const i64x2 0 0))
    (br_if $more (i32.le_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $item (i32.load (local.get $p)))
    (i32.store8
      (i32.add (local.get $map)
        (select (local.get $item) (local.get $bound) (i32.lt_u (local.get $item) (local.get $bound))))
      (i32.const 1))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more))))

;; `within`, by a map of the third vector
(func $within_map (param $to i32) (param $p i32) (param $n i32) (param $table i32) (param $map i32) (result i32)
  (local $start i32) (local $end i32) (local $item i32)
  (local.set $start (local.get $to))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (i32.store (local.get $to) (local.tee $item (i32.load (local.get $p))))
    (local.set $to (i32.add (local.get $to) (i32.shl
      (i32.load8_u (i32.add (local.get $map) (call $entry (local.get $table) (local.get $item))))
      (i32.const 2))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

(func $beside (param $to i32) (param $p i32) (param $n i32) (param $table i32) (param $width i32) (result i32)
  (local $found i32) (local $i i32) (local $j i32) (local $other i32)
  (call $mark_all (local.get $p) (local.get $n) (i32.const 1))
  (call $mark (i32.const -1) (i32.const 1))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $i) (local.get $n)))
    (local.set $j (i32.const 0))
    (loop $row
      (local.set $other (call $entry (local.get $table) (i32.add
        (i32.mul (call $entry (local.get $p) (local.get $i)) (local.get $width))
        (local.get $j))))
      (if (i32.eqz (call $marked (local.get $other))) (then
        (call $mark (local.get $other) (i32.const 1))
        (i32.store (i32.add (local.get $to) (i32.shl (local.get $found) (i32.const 2))) (local.get $other))
        (local.set $found (i32.add (local.get $found) (i32.const 1)))))
      (local.set $j (i32.add (local.get $j) (i32.const 1)))
      (br_if $row (i32.lt_u (local.get $j) (local.get $width))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $more)))
  (call $mark_all (local.get $p) (local.get $n) (i32.const 0))
  (call $mark (i32.const -1) (i32.const 0))
  (call $in_order (local.get $to) (local.get $found))
  (local.get $found))

;; A flood fill: what can be reached of the land ($q, $m), in its order. A large land takes fuel.
(func $reached (param $to i32) (param $p i32) (param $n i32) (param $q i32) (param $m i32)
    (param $table i32) (param $width i32) (result i32)
  (local $start i32) (local $edge i32) (local $i i32) (local $item i32)
  (call $burn (i32.shr_u (local.get $m) (i32.const 4)))
  (local.set $start (local.get $to))
  (local.set $edge (global.get $TEMPORARY))
  (call $mark_all (local.get $q) (local.get $m) (i32.const 1))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $i) (local.get $n)))
    (local.set $item (call $entry (local.get $p) (local.get $i)))
    (if (i32.eq (call $marked (local.get $item)) (i32.const 1)) (then
      (call $mark (local.get $item) (i32.const 2))
      (i32.store (local.get $edge) (local.get $item))
      (local.set $edge (i32.add (local.get $edge) (i32.const 4)))))
    (local.set $edge (call $reach_row (local.get $item) (local.get $edge) (local.get $table) (local.get $width)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $more)))
  (local.set $i (global.get $TEMPORARY))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $i) (local.get $edge)))
    (local.set $item (i32.load (local.get $i)))
    (local.set $edge (call $reach_row (local.get $item) (local.get $edge) (local.get $table) (local.get $width)))
    (local.set $i (i32.add (local.get $i) (i32.const 4)))
    (br $more)))
  (block $done (loop $more
    (br_if $done (i32.eqz (local.get $m)))
    (i32.store (local.get $to) (local.tee $item (i32.load (local.get $q))))
    (local.set $to (i32.add (local.get $to) (i32.and (i32.shl (call $marked (local.get $item)) (i32.const 1)) (i32.const 4))))
    (call $mark (local.get $item) (i32.const 0))
    (local.set $q (i32.add (local.get $q) (i32.const 4)))
    (local.set $m (i32.sub (local.get $m) (i32.const 1)))
    (br $more)))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

(func $reach_row (param $item i32) (param $edge i32) (param $table i32) (param $width i32) (result i32)
  (local $row i32) (local $end i32) (local $other i32) (local $at i32) (local $new i32)
  (local.set $row (i32.add (local.get $table) (i32.shl (i32.mul (local.get $item) (local.get $width)) (i32.const 2))))
  (local.set $end (i32.add (local.get $row) (i32.shl (local.get $width) (i32.const 2))))
  (loop $more
    (local.set $other (i32.load (local.get $row)))
    (local.set $at (i32.add (global.get $MARKS) (local.get $other)))
    (local.set $new (i32.eq (i32.load8_u (local.get $at)) (i32.const 1)))
    (i32.store8 (local.get $at) (i32.add (i32.load8_u (local.get $at)) (local.get $new)))
    (i32.store (local.get $edge) (local.get $other))
    (local.set $edge (i32.add (local.get $edge) (i32.shl (local.get $new) (i32.const 2))))
    (br_if $more (i32.ne (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $end))))
  (local.get $edge))

;; ── sets as bits: item n as bit n, of numbers below 128 ──

;; the set of one item, or of none where it cannot be one
(func $bit_of (param $item i64) (result v128)
  (v128.load offset=$ONES (i32.shl
    (select (i32.wrap_i64 (local.get $item)) (i32.const 128) (i64.lt_u (local.get $item) (i64.const 128)))
    (i32.const 4))))

(func $bits_of (param $p i32) (param $n i32) (result v128)
  (local $bits v128) (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $bits (v128.or (local.get $bits) (call $bit_of (i64.load32_s (local.get $p)))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (local.get $bits))

(func $in_bits (param $bits v128) (param $item i64) (result i64)
  (i64.and
    (i64.shr_u
      (select (i64x2.extract_lane 0 (local.get $bits)) (i64x2.extract_lane 1 (local.get $bits))
        (i64.lt_u (local.get $item) (i64.const 64)))
      (local.get $item))
    (i64.extend_i32_u (i64.lt_u (local.get $item) (i64.const 128)))))

(func $size_of_bits (param $bits v128) (result i64)
  (i64.add
    (i64.popcnt (i64x2.extract_lane 0 (local.get $bits)))
    (i64.popcnt (i64x2.extract_lane 1 (local.get $bits)))))

;; as a list
(func $listed (param $to i32) (param $bits v128) (result i32)
  (local.set $to (call $listed_from (local.get $to) (i64x2.extract_lane 0 (local.get $bits)) (i32.const 0)))
  (drop (call $listed_from (local.get $to) (i64x2.extract_lane 1 (local.get $bits)) (i32.const 64)))
  (i32.wrap_i64 (call $size_of_bits (local.get $bits))))

(func $listed_from (param $to i32) (param $left i64) (param $first i32) (result i32)
  (if (i64.ne (local.get $left) (i64.const 0)) (then
    (loop $more
      (i32.store (local.get $to) (i32.add (local.get $first) (i32.wrap_i64 (i64.ctz (local.get $left)))))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (br_if $more (i64.ne (i64.const 0)
        (local.tee $left (i64.and (local.get $left) (i64.sub (local.get $left) (i64.const 1)))))))))
  (local.get $to))

;; which of so many sets belongs to a value; the one behind them is empty
(func $bits_at (param $sets i32) (param $first i64) (param $count i64) (param $value i64) (result v128)
  (local.set $value (i64.sub (local.get $value) (local.get $first)))
  (v128.load (i32.add (local.get $sets) (i32.shl
    (i32.wrap_i64 (select (local.get $value) (local.get $count) (i64.lt_u (local.get $value) (local.get $count))))
    (i32.const 4)))))

(func $bits_of_values (param $sets i32) (param $first i64) (param $count i64) (param $p i32) (param $n i32) (result v128)
  (local $bits v128) (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $bits (v128.or (local.get $bits)
      (call $bits_at (local.get $sets) (local.get $first) (local.get $count) (i64.load32_s (local.get $p)))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (local.get $bits))

;; all that is in the rows of some items
(func $spread (param $rows i32) (param $bits v128) (result v128)
  (v128.or
    (call $spread_word (local.get $rows) (i64x2.extract_lane 0 (local.get $bits)))
    (call $spread_word (i32.add (local.get $rows) (i32.const 1024)) (i64x2.extract_lane 1 (local.get $bits)))))

(func $spread_word (param $rows i32) (param $left i64) (result v128)
  (local $found v128)
  (if (i64.ne (local.get $left) (i64.const 0)) (then
    (loop $more
      (local.set $found (v128.or (local.get $found)
        (v128.load (i32.add (local.get $rows) (i32.shl (i32.wrap_i64 (i64.ctz (local.get $left))) (i32.const 4))))))
      (br_if $more (i64.ne (i64.const 0)
        (local.tee $left (i64.and (local.get $left) (i64.sub (local.get $left) (i64.const 1)))))))))
  (local.get $found))

;; each item so much greater or smaller, by less than 64
(func $moved_up (param $bits v128) (param $by i32) (result v128)
  (v128.or
    (i64x2.shl (local.get $bits) (local.get $by))
    (i8x16.shuffle 0 0 0 0 0 0 0 0 16 17 18 19 20 21 22 23 (v128.const i64x2 0 0)
      (i64x2.shr_u (local.get $bits) (i32.sub (i32.const 64) (local.get $by))))))

(func $moved_down (param $bits v128) (param $by i32) (result v128)
  (v128.or
    (i64x2.shr_u (local.get $bits) (local.get $by))
    (i8x16.shuffle 24 25 26 27 28 29 30 31 0 0 0 0 0 0 0 0 (v128.const i64x2 0 0)
      (i64x2.shl (local.get $bits) (i32.sub (i32.const 64) (local.get $by))))))

;; `reached`
(func $reached_bits (param $rows i32) (param $edge v128) (param $land v128) (result v128)
  (local $found v128)
  (call $burn (i32.shr_u (i32.wrap_i64 (call $size_of_bits (local.get $land))) (i32.const 4)))
  (local.set $found (v128.and (local.get $edge) (local.get $land)))
  (loop $more
    (local.set $edge (v128.andnot
      (v128.and (call $spread (local.get $rows) (local.get $edge)) (local.get $land))
      (local.get $found)))
    (local.set $found (v128.or (local.get $found) (local.get $edge)))
    (br_if $more (v128.any_true (local.get $edge))))
  (local.get $found))

;; `lying`
;; of numbers below 63
(func $lying_few_bits (param $p i32) (param $n i32) (param $table i32) (param $cell i32) (result v128)
  (local $bits i64) (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (local.set $cell (i32.add (global.get $CELLS) (i32.shl (local.get $cell) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $bits (i64.or (local.get $bits) (i64.shl (i64.const 1)  ;; of nothing, bit 63
      (i64.load32_s (i32.add (local.get $table) (i32.shl
        (i32.load (i32.add (local.get $cell) (i32.shl (i32.load (local.get $p)) (i32.const 2)))) (i32.const 2)))))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (i64x2.replace_lane 0 (v128.const i64x2 0 0) (i64.and (local.get $bits) (i64.const 0x7fffffffffffffff))))

(func $lying_bits (param $p i32) (param $n i32) (param $table i32) (param $cell i32) (result v128)
  (local $bits v128) (local $end i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (local.set $cell (i32.add (global.get $CELLS) (i32.shl (local.get $cell) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $bits (v128.or (local.get $bits) (call $bit_of (i64.extend_i32_s
      (call $entry (local.get $table) (call $entry (local.get $cell) (i32.load (local.get $p))))))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (local.get $bits))

;; Where the pieces with a value lie, less the cell of the first zone. The list begins with where those of each value do.
(func $lying_of (param $list i32) (param $first i64) (param $count i64) (param $value i64) (param $cell i32) (result v128)
  (local $bits v128) (local $p i32) (local $end i32)
  (local.set $value (i64.sub (local.get $value) (local.get $first)))
  (local.set $p (i32.add (local.get $list) (i32.shl
    (i32.wrap_i64 (select (local.get $value) (local.get $count) (i64.lt_u (local.get $value) (local.get $count))))
    (i32.const 2))))
  (local.set $end (i32.add (local.get $list) (i32.shl (i32.load offset=4 (local.get $p)) (i32.const 2))))
  (local.set $p (i32.add (local.get $list) (i32.shl (i32.load (local.get $p)) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $bits (v128.or (local.get $bits) (call $bit_of (i64.extend_i32_s
      (i32.sub (call $zone_of (i32.load (local.get $p))) (local.get $cell))))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (local.get $bits))

;; the items whose zone is empty; and of the first so many, whose sets lie that far from each other, or eight bytes
(func $vacant (param $p i32) (param $n i32) (param $cell i32) (result v128)
  (local $bits v128) (local $end i32) (local $item i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $item (i32.load (local.get $p)))
    (if (i32.eqz (i32.load (call $set (i32.add (local.get $cell) (local.get $item))))) (then
      (local.set $bits (v128.or (local.get $bits) (call $bit_of (i64.extend_i32_s (local.get $item)))))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (local.get $bits))

;; eight at a time
(func $vacant_close (param $set i32) (param $n i64) (result i64)
  (local $bits i64) (local $item i64)
  (if (i64.eqz (local.get $n)) (then (return (i64.const 0))))
  (loop $more
    (local.set $bits (i64.or (local.get $bits) (i64.shl
      (i64.extend_i32_u (i32.or
        (call $vacant_four (v128.load (local.get $set)) (v128.load offset=16 (local.get $set)))
        (i32.shl (call $vacant_four (v128.load offset=32 (local.get $set)) (v128.load offset=48 (local.get $set)))
          (i32.const 4))))
      (local.get $item))))
    (local.set $set (i32.add (local.get $set) (i32.const 64)))
    (br_if $more (i64.lt_u (local.tee $item (i64.add (local.get $item) (i64.const 8))) (local.get $n))))
  (i64.and (local.get $bits) (i64.shr_u (i64.const -1) (i64.sub (i64.const 64) (local.get $n)))))

(func $vacant_four (param $one v128) (param $other v128) (result i32)
  (i32x4.bitmask (i32x4.eq (v128.const i64x2 0 0)
    (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $one) (local.get $other)))))

(func $vacant_close_row (param $set i32) (param $n i64) (result v128)
  (i64x2.replace_lane 1
    (i64x2.splat (call $vacant_close (local.get $set)
      (select (local.get $n) (i64.const 64) (i64.lt_u (local.get $n) (i64.const 64)))))
    (call $vacant_close (i32.add (local.get $set) (i32.const 512))
      (select (i64.sub (local.get $n) (i64.const 64)) (i64.const 0) (i64.gt_u (local.get $n) (i64.const 64))))))

(func $vacant_row (param $set i32) (param $apart i32) (param $n i64) (result v128)
  (i64x2.replace_lane 1
    (i64x2.splat (call $vacant_word (local.get $set) (local.get $apart)
      (select (local.get $n) (i64.const 64) (i64.lt_u (local.get $n) (i64.const 64)))))
    (call $vacant_word (i32.add (local.get $set) (i32.shl (local.get $apart) (i32.const 6))) (local.get $apart)
      (select (i64.sub (local.get $n) (i64.const 64)) (i64.const 0) (i64.gt_u (local.get $n) (i64.const 64))))))

;; four at a time; what stands behind the last one does not count
(func $vacant_word (param $set i32) (param $apart i32) (param $n i64) (result i64)
  (local $bits i64) (local $item i64)
  (if (i64.eqz (local.get $n)) (then (return (i64.const 0))))
  (loop $more
    (local.set $bits (i64.or (local.get $bits) (i64.shl (i64.extend_i32_u (i32.or
      (i32.or
        (i32.eqz (i32.load (local.get $set)))
        (i32.shl (i32.eqz (i32.load (local.tee $set (i32.add (local.get $set) (local.get $apart))))) (i32.const 1)))
      (i32.or
        (i32.shl (i32.eqz (i32.load (local.tee $set (i32.add (local.get $set) (local.get $apart))))) (i32.const 2))
        (i32.shl (i32.eqz (i32.load (local.tee $set (i32.add (local.get $set) (local.get $apart))))) (i32.const 3)))))
      (local.get $item))))
    (local.set $set (i32.add (local.get $set) (local.get $apart)))
    (br_if $more (i64.lt_u (local.tee $item (i64.add (local.get $item) (i64.const 4))) (local.get $n))))
  (i64.and (local.get $bits) (i64.shr_u (i64.const -1) (i64.sub (i64.const 64) (local.get $n)))))

;; ── orders ──

(func $sort_numbers (param $p i32) (param $n i32)
  (local $end i32) (local $next i32) (local $at i32) (local $item i32) (local $other i32)
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (local.set $next (local.get $p))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.tee $next (i32.add (local.get $next) (i32.const 4))) (local.get $end)))
    (local.set $item (i32.load (local.tee $at (local.get $next))))
    (block $here (loop $on
      (br_if $here (i32.eq (local.get $at) (local.get $p)))
      (local.set $other (i32.load (i32.sub (local.get $at) (i32.const 4))))
      (br_if $here (i32.le_s (local.get $other) (local.get $item)))
      (i32.store (local.get $at) (local.get $other))
      (local.set $at (i32.sub (local.get $at) (i32.const 4)))
      (br $on)))
    (i32.store (local.get $at) (local.get $item))
    (br $more))))

;; whether position $i comes before $j by so many columns, whose addresses are at $COLUMNS
(func $before (param $i i32) (param $j i32) (param $columns i32) (result i32)
  (local $column i32) (local $at i32) (local $one i32) (local $other i32)
  (local.set $at (global.get $COLUMNS))
  (block $different (loop $more
    (local.set $column (i32.load (local.get $at)))
    (local.set $one (call $entry (local.get $column) (local.get $i)))
    (local.set $other (call $entry (local.get $column) (local.get $j)))
    (br_if $different (i32.ne (local.get $one) (local.get $other)))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (br_if $more (local.tee $columns (i32.sub (local.get $columns) (i32.const 1))))))
  (i32.lt_s (local.get $one) (local.get $other)))

;; $ORDER becomes the positions in order
(func $order (param $n i32) (param $columns i32)
  (if (i32.gt_u (local.get $n) (i32.const 4))
    (then (call $order_many (local.get $n) (local.get $columns)))
    (else (call $scatter (global.get $ORDER)
      (call $places (local.get $n) (local.get $columns))
      (v128.const i32x4 0 1 2 3)))))

;; Each in turn goes before those that come after it.
(func $order_many (param $n i32) (param $columns i32)
  (local $i i32) (local $place i32) (local $other i32)
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $i) (local.get $n)))
    (local.set $place (i32.add (global.get $ORDER) (i32.shl (local.get $i) (i32.const 2))))
    (block $here (loop $on
      (br_if $here (i32.eq (local.get $place) (global.get $ORDER)))
      (local.set $other (i32.load (i32.sub (local.get $place) (i32.const 4))))
      (br_if $here (i32.eqz (call $before (local.get $i) (local.get $other) (local.get $columns))))
      (i32.store (local.get $place) (local.get $other))
      (local.set $place (i32.sub (local.get $place) (i32.const 4)))
      (br $on)))
    (i32.store (local.get $place) (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $more))))

;; The place of each of four, in bytes: how many come before it, of those one, two and three further on, by the columns
;; from the last to the first, and then by whether they are there at all; at first, of equals, the earlier.
(func $places (param $n i32) (param $columns i32) (result v128)
  (local $at i32) (local $keys v128) (local $one v128) (local $two v128) (local $three v128)
  (local.set $one (v128.const i32x4 0 0 0 -1))
  (local.set $two (v128.const i32x4 0 0 -1 -1))
  (local.set $three (v128.const i32x4 0 -1 -1 -1))
  (local.set $at (i32.add (global.get $COLUMNS) (i32.shl (local.get $columns) (i32.const 2))))
  (loop $more
    (local.set $at (i32.sub (local.get $at) (i32.const 4)))
    (local.set $keys (v128.load (i32.load (local.get $at))))
    (local.set $one (call $further (local.get $one) (local.get $keys) (call $lanes_further_1 (local.get $keys))))
    (local.set $two (call $further (local.get $two) (local.get $keys) (call $lanes_further_2 (local.get $keys))))
    (local.set $three (call $further (local.get $three) (local.get $keys) (call $lanes_further_3 (local.get $keys))))
    (br_if $more (i32.ne (local.get $at) (global.get $COLUMNS))))
  (local.set $keys (i32x4.lt_s (v128.const i32x4 0 1 2 3) (i32x4.splat (local.get $n))))
  (local.set $one (call $further (local.get $one) (local.get $keys) (call $lanes_further_1 (local.get $keys))))
  (local.set $two (call $further (local.get $two) (local.get $keys) (call $lanes_further_2 (local.get $keys))))
  (local.set $three (call $further (local.get $three) (local.get $keys) (call $lanes_further_3 (local.get $keys))))
  (call $offsets (local.get $one) (local.get $two) (local.get $three)))

(func $lanes_further_1 (param $lanes v128) (result v128)
  (i8x16.shuffle 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 3 (local.get $lanes) (local.get $lanes)))

(func $lanes_further_2 (param $lanes v128) (result v128)
  (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $lanes) (local.get $lanes)))

(func $lanes_further_3 (param $lanes v128) (result v128)
  (i8x16.shuffle 12 13 14 15 0 1 2 3 4 5 6 7 8 9 10 11 (local.get $lanes) (local.get $lanes)))

;; how many of the three hold of each, in bytes
(func $offsets (param $one v128) (param $two v128) (param $three v128) (result v128)
  (i32x4.shl
    (i32x4.neg (i32x4.add (local.get $one) (i32x4.add (local.get $two) (local.get $three))))
    (i32.const 2)))

;; four items to places of which each is so many bytes behind $to
(func $scatter (param $to i32) (param $places v128) (param $items v128)
  (i32.store (i32.add (local.get $to) (i32x4.extract_lane 0 (local.get $places)))
    (i32x4.extract_lane 0 (local.get $items)))
  (i32.store (i32.add (local.get $to) (i32x4.extract_lane 1 (local.get $places)))
    (i32x4.extract_lane 1 (local.get $items)))
  (i32.store (i32.add (local.get $to) (i32x4.extract_lane 2 (local.get $places)))
    (i32x4.extract_lane 2 (local.get $items)))
  (i32.store (i32.add (local.get $to) (i32x4.extract_lane 3 (local.get $places)))
    (i32x4.extract_lane 3 (local.get $items))))

(func $further (param $before v128) (param $keys v128) (param $others v128) (result v128)
  (v128.or
    (i32x4.lt_s (local.get $others) (local.get $keys))
    (v128.and (i32x4.eq (local.get $others) (local.get $keys)) (local.get $before))))

(func $sort (param $p i32) (param $n i32) (param $columns i32) (result i32)
  (if (i32.gt_u (local.get $n) (i32.const 4))
    (then
      (call $order_many (local.get $n) (local.get $columns))
      (call $sort_by_order (local.get $p) (local.get $n)))
    (else (drop (call $sort_of_few (local.get $p) (local.get $n) (local.get $columns)))))
  (local.get $n))

(func $sort_of_few (param $p i32) (param $n i32) (param $columns i32) (result i32)
  (call $scatter (local.get $p)
    (call $places (local.get $n) (local.get $columns))
    (v128.load (local.get $p)))
  (local.get $n))

(func $sort_by_order (param $p i32) (param $n i32)
  (local $i i32)
  (if (local.get $n) (then
    (loop $more
      (i32.store
        (i32.add (global.get $SORTED) (i32.shl (local.get $i) (i32.const 2)))
        (call $entry (local.get $p) (call $entry (global.get $ORDER) (local.get $i))))
      (br_if $more (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (drop (call $copy (local.get $p) (global.get $SORTED) (local.get $n))))))

;; sorts; at $to how many are equal to each item
(func $rank (param $p i32) (param $to i32) (param $n i32) (param $columns i32) (result i32)
  (local $i i32) (local $end i32) (local $size i32)
  (call $order (local.get $n) (local.get $columns))
  (call $sort_by_order (local.get $p) (local.get $n))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $i) (local.get $n)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (local.set $size (i32.add (local.get $size) (i32.const 1)))
    (if (i32.ne (local.get $i) (local.get $n)) (then
      (br_if $more (i32.eqz (call $before
        (call $entry (global.get $ORDER) (i32.sub (local.get $i) (i32.const 1)))
        (call $entry (global.get $ORDER) (local.get $i))
        (local.get $columns))))))
    (local.set $end (i32.add (local.get $to) (i32.shl (local.get $size) (i32.const 2))))
    (loop $on
      (i32.store (local.get $to) (local.get $size))
      (br_if $on (i32.ne (local.tee $to (i32.add (local.get $to) (i32.const 4))) (local.get $end))))
    (local.set $size (i32.const 0))
    (br $more)))
  (local.get $n))

;; Of at most four, without $ORDER: as $places has it; and of those one, two and three further on, whether they are
;; there and have equal keys.
(func $rank_of_few (param $p i32) (param $to i32) (param $n i32) (param $columns i32) (result i32)
  (local $at i32) (local $keys v128) (local $others v128) (local $one v128) (local $two v128) (local $three v128)
  (local $one_equal v128) (local $two_equal v128) (local $three_equal v128)
  (local.set $one (v128.const i32x4 0 0 0 -1))
  (local.set $two (v128.const i32x4 0 0 -1 -1))
  (local.set $three (v128.const i32x4 0 -1 -1 -1))
  (local.set $one_equal (v128.const i32x4 -1 -1 -1 -1))
  (local.set $two_equal (v128.const i32x4 -1 -1 -1 -1))
  (local.set $three_equal (v128.const i32x4 -1 -1 -1 -1))
  (local.set $at (i32.add (global.get $COLUMNS) (i32.shl (local.get $columns) (i32.const 2))))
  (loop $more
    (local.set $at (i32.sub (local.get $at) (i32.const 4)))
    (local.set $keys (v128.load (i32.load (local.get $at))))
    (local.set $others (call $lanes_further_1 (local.get $keys)))
    (local.set $one (call $further (local.get $one) (local.get $keys) (local.get $others)))
    (local.set $one_equal (v128.and (local.get $one_equal) (i32x4.eq (local.get $keys) (local.get $others))))
    (local.set $others (call $lanes_further_2 (local.get $keys)))
    (local.set $two (call $further (local.get $two) (local.get $keys) (local.get $others)))
    (local.set $two_equal (v128.and (local.get $two_equal) (i32x4.eq (local.get $keys) (local.get $others))))
    (local.set $others (call $lanes_further_3 (local.get $keys)))
    (local.set $three (call $further (local.get $three) (local.get $keys) (local.get $others)))
    (local.set $three_equal (v128.and (local.get $three_equal) (i32x4.eq (local.get $keys) (local.get $others))))
    (br_if $more (i32.ne (local.get $at) (global.get $COLUMNS))))
  (local.set $keys (i32x4.lt_s (v128.const i32x4 0 1 2 3) (i32x4.splat (local.get $n))))
  (local.set $others (call $lanes_further_1 (local.get $keys)))
  (local.set $one (call $further (local.get $one) (local.get $keys) (local.get $others)))
  (local.set $one_equal (v128.and (local.get $one_equal) (local.get $others)))
  (local.set $others (call $lanes_further_2 (local.get $keys)))
  (local.set $two (call $further (local.get $two) (local.get $keys) (local.get $others)))
  (local.set $two_equal (v128.and (local.get $two_equal) (local.get $others)))
  (local.set $others (call $lanes_further_3 (local.get $keys)))
  (local.set $three (call $further (local.get $three) (local.get $keys) (local.get $others)))
  (local.set $three_equal (v128.and (local.get $three_equal) (local.get $others)))
  (local.set $keys (call $offsets (local.get $one) (local.get $two) (local.get $three)))
  (call $scatter (local.get $p) (local.get $keys) (v128.load (local.get $p)))
  (call $scatter (local.get $to) (local.get $keys) (i32x4.sub
    (v128.const i32x4 1 1 1 1)
    (i32x4.add (local.get $one_equal) (i32x4.add (local.get $two_equal) (local.get $three_equal)))))
  (local.get $n))

;; $TEMPORARY: of each item how many have its key, times 65536, less its number, or 0 if its group has come already,
;; four at a time. The greatest of them is that of the first item of the largest group: what lies behind the items never
;; is, as it stands behind those whose key it may have.
(func $largest_group (param $to i32) (param $p i32) (param $n i32) (param $q i32) (param $rank i64) (result i32)
  (local $at i32) (local $i i32) (local $j i32) (local $end i32) (local $key i32) (local $start i32)
  (local $keys v128) (local $sizes v128) (local $places v128) (local $best v128)
  (if (i32.eqz (local.get $n)) (then (return (i32.const 0))))
  (if (i64.lt_s (local.get $rank) (i64.const 1)) (then (return (i32.const 0))))
  (local.set $end (i32.add (local.get $q) (i32.shl (local.get $n) (i32.const 2))))
  (local.set $at (global.get $TEMPORARY))
  (local.set $i (local.get $q))
  (local.set $places (v128.const i32x4 0 1 2 3))
  (loop $more
    (local.set $keys (v128.load (local.get $i)))
    (local.set $sizes (v128.const i32x4 0 0 0 0))
    (local.set $j (local.get $q))
    (loop $on
      (local.set $sizes (i32x4.sub (local.get $sizes)
        (i32x4.eq (local.get $keys) (v128.load32_splat (local.get $j)))))
      (br_if $on (i32.ne (local.tee $j (i32.add (local.get $j) (i32.const 4))) (local.get $end))))
    (v128.store (local.get $at)
      (i32x4.sub (i32x4.shl (local.get $sizes) (i32.const 16)) (local.get $places)))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (local.set $places (i32x4.add (local.get $places) (v128.const i32x4 4 4 4 4)))
    (br_if $more (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16))) (local.get $end))))
  (loop $next
    (local.set $best (v128.const i32x4 0 0 0 0))
    (local.set $j (global.get $TEMPORARY))
    (loop $more
      (local.set $best (i32x4.max_s (local.get $best) (v128.load (local.get $j))))
      (br_if $more (i32.ne (local.tee $j (i32.add (local.get $j) (i32.const 16))) (local.get $at))))
    (local.set $best (i32x4.max_s (local.get $best) (call $lanes_further_2 (local.get $best))))
    (local.set $best (i32x4.max_s (local.get $best) (call $lanes_further_1 (local.get $best))))
    (if (i32.eqz (i32x4.extract_lane 0 (local.get $best))) (then (return (i32.const 0))))
    (local.set $key (call $entry (local.get $q)
      (i32.and (i32.sub (i32.const 0) (i32x4.extract_lane 0 (local.get $best))) (i32.const 65535))))
    (local.set $rank (i64.sub (local.get $rank) (i64.const 1)))
    (if (i64.ne (local.get $rank) (i64.const 0)) (then
      (local.set $i (local.get $q))
      (local.set $j (global.get $TEMPORARY))
      (loop $more
        (v128.store (local.get $j) (v128.andnot
          (v128.load (local.get $j))
          (i32x4.eq (v128.load (local.get $i)) (i32x4.splat (local.get $key)))))
        (local.set $i (i32.add (local.get $i) (i32.const 16)))
        (br_if $more (i32.ne (local.tee $j (i32.add (local.get $j) (i32.const 16))) (local.get $at))))
      (br $next))))
  (local.set $start (local.get $to))
  (loop $more
    (i32.store (local.get $to) (i32.load (local.get $p)))
    (local.set $to (i32.add (local.get $to)
      (i32.shl (i32.eq (i32.load (local.get $q)) (local.get $key)) (i32.const 2))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $q (i32.add (local.get $q) (i32.const 4)))
    (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
  (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

;; ── zones ──

(func $set (param $cell i32) (result i32)
  (call $there (i32.load offset=$SETS (i32.shl (local.get $cell) (i32.const 2)))))

;; an address of the state that stands in a table
(func $there (param $address i32) (result i32)
  (i32.add (global.get $HERE) (local.get $address)))

(func $keep (param $set i32) (param $p i32) (param $n i32)
  (i32.store (local.get $set) (local.get $n))
  (drop (call $copy (i32.add (local.get $set) (i32.const 4)) (local.get $p) (local.get $n))))

(func $keep_of_few (param $set i32) (param $p i32) (param $n i32)
  (i32.store (local.get $set) (local.get $n))
  (v128.store offset=4 (local.get $set) (v128.load (local.get $p))))

;; the mask of one piece
(func $bit (param $piece i32) (result v128)
  (v128.load offset=$BITS (i32.shl (local.get $piece) (i32.const 4))))

;; what is in a mask changes in that of a zone
(func $toggle (param $zone i32) (param $mask v128)
  (local $at i32)
  (local.set $at (i32.shl (local.get $zone) (i32.const 4)))
  (v128.store offset=$MASKS (local.get $at)
    (v128.xor (v128.load offset=$MASKS (local.get $at)) (local.get $mask))))

(func $zone_of (param $piece i32) (result i32)
  (i32.load offset=$AT (i32.shl (local.get $piece) (i32.const 2))))

(func $lies_at (param $piece i32) (param $from i32) (param $zone i32)
  (if (global.get $MASKED) (then
    (call $toggle (local.get $from) (call $bit (local.get $piece)))
    (call $toggle (local.get $zone) (call $bit (local.get $piece)))))
  (i32.store offset=$AT (i32.shl (local.get $piece) (i32.const 2)) (local.get $zone)))

;; pieces onto a zone, or the first of them lowest under it
(func $lay (param $zone i32) (param $p i32) (param $n i32)
  (local $to i32) (local $end i32) (local $piece i32)
  (local.set $to (call $set (local.get $zone)))
  (local.set $end (i32.load (local.get $to)))
  (i32.store (local.get $to) (i32.add (local.get $end) (local.get $n)))
  (local.set $to (i32.add (local.get $to) (i32.shl (local.get $end) (i32.const 2))))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $piece (i32.load (local.get $p)))
    (i32.store offset=4 (local.get $to) (local.get $piece))
    (call $lies_at (local.get $piece) (call $zone_of (local.get $piece)) (local.get $zone))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more))))

;; likewise, where all of them come from the same other zone: its mask and the other one change once
(func $lay_of (param $source i32) (param $zone i32) (param $p i32) (param $n i32)
  (local $to i32) (local $end i32) (local $piece i32) (local $mask v128)
  (local.set $to (call $set (local.get $zone)))
  (local.set $end (i32.load (local.get $to)))
  (i32.store (local.get $to) (i32.add (local.get $end) (local.get $n)))
  (local.set $to (i32.add (local.get $to) (i32.shl (local.get $end) (i32.const 2))))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $piece (i32.load (local.get $p)))
    (i32.store offset=4 (local.get $to) (local.get $piece))
    (i32.store offset=$AT (i32.shl (local.get $piece) (i32.const 2)) (local.get $zone))
    (if (global.get $MASKED) (then
      (local.set $mask (v128.or (local.get $mask) (call $bit (local.get $piece))))))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br $more)))
  (if (global.get $MASKED) (then
    (call $toggle (local.get $source) (local.get $mask))
    (call $toggle (local.get $zone) (local.get $mask)))))

;; one piece onto a zone, out of the list of the other already
(func $lay_one (param $piece i32) (param $from i32) (param $zone i32)
  (local $set i32) (local $size i32)
  (local.set $size (i32.add (i32.load (local.tee $set (call $set (local.get $zone)))) (i32.const 1)))
  (i32.store (local.get $set) (local.get $size))
  (i32.store (i32.add (local.get $set) (i32.shl (local.get $size) (i32.const 2))) (local.get $piece))
  (call $lies_at (local.get $piece) (local.get $from) (local.get $zone)))

(func $lay_under (param $zone i32) (param $p i32) (param $n i32)
  (local $set i32) (local $piece i32)
  (local.set $set (call $set (local.get $zone)))
  (call $copy_back
    (i32.add (i32.add (local.get $set) (i32.const 4)) (i32.shl (local.get $n) (i32.const 2)))
    (i32.add (local.get $set) (i32.const 4))
    (i32.load (local.get $set)))
  (i32.store (local.get $set) (i32.add (i32.load (local.get $set)) (local.get $n)))
  (block $done (loop $more
    (br_if $done (i32.eqz (local.get $n)))
    (local.set $piece (i32.load (local.get $p)))
    (local.set $set (i32.add (local.get $set) (i32.const 4)))
    (i32.store (local.get $set) (local.get $piece))
    (call $lies_at (local.get $piece) (call $zone_of (local.get $piece)) (local.get $zone))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br $more))))

;; takes one piece out of the list of the zone where it lies: what is found to be at it or above it comes from one
;; further, eight at a time; what stands behind the zone stays as it is
(func $take_one (param $piece i32) (param $zone i32)
  (local $p i32) (local $last i32) (local $one v128) (local $two v128) (local $next v128) (local $found v128)
  (local $wanted v128) (local $left v128)
  (local.set $p (call $set (local.get $zone)))
  (local.set $last (i32.add (local.get $p) (i32.shl (i32.load (local.get $p)) (i32.const 2))))
  (i32.store (local.get $p) (i32.sub (i32.load (local.get $p)) (i32.const 1)))
  (block $taken
  (if (global.get $COUNTED) (then (br_if $taken (i32.load8_u offset=$COUNTED (local.get $zone)))))
  (local.set $wanted (i32x4.splat (local.get $piece)))
  (local.set $next (v128.load offset=4 (local.get $p)))
  (loop $more
    (local.set $left (i32x4.splat (i32.sub (local.get $last) (local.get $p))))
    (local.set $one (local.get $next))
    (local.set $two (v128.load offset=20 (local.get $p)))
    (local.set $next (v128.load offset=36 (local.get $p)))
    (local.set $found (call $from_there (local.get $found) (i32x4.eq (local.get $one) (local.get $wanted))))
    (v128.store offset=4 (local.get $p) (v128.bitselect
      (i8x16.shuffle 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 (local.get $one) (local.get $two))
      (local.get $one) (v128.and (local.get $found) (i32x4.le_s (v128.const i32x4 4 8 12 16) (local.get $left)))))
    (local.set $found (call $from_there (local.get $found) (i32x4.eq (local.get $two) (local.get $wanted))))
    (v128.store offset=20 (local.get $p) (v128.bitselect
      (i8x16.shuffle 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 (local.get $two) (local.get $next))
      (local.get $two) (v128.and (local.get $found) (i32x4.le_s (v128.const i32x4 20 24 28 32) (local.get $left)))))
    (br_if $more (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 32))) (local.get $last))))))

;; of four, those that are at what is found or above it, as are all where the last of the four below is
(func $from_there (param $before v128) (param $found v128) (result v128)
  (local.set $found (v128.or (local.get $found)
    (i8x16.shuffle 0 1 2 3 0 1 2 3 4 5 6 7 8 9 10 11 (local.get $found) (local.get $found))))
  (v128.or
    (v128.or (local.get $found)
      (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $found) (local.get $found)))
    (i8x16.shuffle 12 13 14 15 12 13 14 15 12 13 14 15 12 13 14 15 (local.get $before) (local.get $before))))

;; takes pieces out of where they lie, on one way through each zone that they lie in
(func $take (param $p i32) (param $n i32)
  (local $end i32) (local $set i32) (local $from i32) (local $to i32) (local $last i32) (local $item i32)
  (call $mark_all (local.get $p) (local.get $n) (i32.const 1))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $item (i32.load (local.get $p)))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (br_if $more (i32.eqz (call $marked (local.get $item))))
    (local.set $set (call $set (call $zone_of (local.get $item))))
    (if (global.get $COUNTED) (then (if (i32.load8_u offset=$COUNTED (call $zone_of (local.get $item))) (then
      (call $mark (local.get $item) (i32.const 0))
      (i32.store (local.get $set) (i32.sub (i32.load (local.get $set)) (i32.const 1)))
      (br $more)))))
    (local.set $to (local.tee $from (i32.add (local.get $set) (i32.const 4))))
    (local.set $last (i32.add (local.get $from) (i32.shl (i32.load (local.get $set)) (i32.const 2))))
    (loop $on
      (local.set $item (i32.load (local.get $from)))
      (i32.store (local.get $to) (local.get $item))
      (local.set $to (i32.add (local.get $to)
        (i32.shl (i32.sub (i32.const 1) (call $marked (local.get $item))) (i32.const 2))))
      (call $mark (local.get $item) (i32.const 0))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $on (i32.ne (local.get $from) (local.get $last))))
    (i32.store (local.get $set)
      (i32.sub (i32.shr_u (i32.sub (local.get $to) (local.get $set)) (i32.const 2)) (i32.const 1)))
    (br $more))))

(func $move_all (param $p i32) (param $n i32) (param $zone i32) (param $under i32)
  (if (local.get $under)
    (then (if (local.get $n) (then
      (call $move_some (local.get $p) (local.get $n) (local.get $zone) (local.get $under)))))
    (else (call $move_up (local.get $p) (local.get $n) (local.get $zone)))))

(func $move_up (param $p i32) (param $n i32) (param $zone i32)
  (if (i32.eq (local.get $n) (i32.const 1))
    (then (call $move_one (i32.load (local.get $p)) (local.get $zone)))
    (else (if (local.get $n) (then (call $move_several (local.get $p) (local.get $n) (local.get $zone)))))))

(func $move_several (param $p i32) (param $n i32) (param $zone i32)
  (local $end i32)
  (if (i32.gt_u (local.get $n) (i32.const 4)) (then
    (call $move_some (local.get $p) (local.get $n) (local.get $zone) (i32.const 0))
    (return)))
  (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (loop $more
    (call $move_one (i32.load (local.get $p)) (local.get $zone))
    (br_if $more (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 4))) (local.get $end)))))

(func $move_some (param $p i32) (param $n i32) (param $zone i32) (param $under i32)
  (call $take (local.get $p) (local.get $n))
  (if (local.get $under)
    (then
      (drop (call $back (global.get $TEMPORARY) (local.get $p) (local.get $n) (i64.extend_i32_u (local.get $n))))
      (call $lay_under (local.get $zone) (global.get $TEMPORARY) (local.get $n)))
    (else (call $lay (local.get $zone) (local.get $p) (local.get $n)))))

(func $move_one (param $piece i32) (param $zone i32)
  (local $from i32)
  (call $take_one (local.get $piece) (local.tee $from (call $zone_of (local.get $piece))))
  (call $lay_one (local.get $piece) (local.get $from) (local.get $zone)))

(func $move (param $piece i32) (param $zone i32) (param $under i32)
  (if (local.get $under)
    (then
      (i32.store (global.get $ORDER) (local.get $piece))
      (call $move_some (global.get $ORDER) (i32.const 1) (local.get $zone) (local.get $under)))
    (else (call $move_one (local.get $piece) (local.get $zone)))))

(func $spill (param $source i32) (param $zone i32)
  (local $set i32) (local $size i32)
  (local.set $size (i32.load (local.tee $set (call $set (local.get $source)))))
  (if (i32.eq (local.get $size) (i32.const 1))
    (then
      (i32.store (local.get $set) (i32.const 0))
      (call $lay_one (i32.load offset=4 (local.get $set)) (local.get $source) (local.get $zone)))
    (else (if (local.get $size) (then
      (call $spill_some (local.get $source) (local.get $zone)))))))

(func $spill_some (param $source i32) (param $zone i32)
  (local $p i32) (local $n i32) (local $to i32)
  (if (i32.eq (local.get $source) (local.get $zone)) (then (return)))
  (local.set $p (call $set (local.get $source)))
  (local.set $n (i32.load (local.get $p)))
  (i32.store (local.get $p) (i32.const 0))
  (local.set $p (i32.add (local.get $p) (i32.const 4)))
  (local.set $to (call $set (local.get $zone)))
  (drop (call $copy
    (i32.add (i32.add (local.get $to) (i32.const 4)) (i32.shl (i32.load (local.get $to)) (i32.const 2)))
    (local.get $p)
    (local.get $n)))
  (i32.store (local.get $to) (i32.add (i32.load (local.get $to)) (local.get $n)))
  (local.set $n (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 2))))
  (loop $more
    (i32.store offset=$AT (i32.shl (i32.load (local.get $p)) (i32.const 2)) (local.get $zone))
    (br_if $more (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 4))) (local.get $n))))
  (if (global.get $MASKED) (then
    (call $toggle (local.get $zone) (v128.load offset=$MASKS (i32.shl (local.get $source) (i32.const 4))))
    (v128.store offset=$MASKS (i32.shl (local.get $source) (i32.const 4)) (v128.const i64x2 0 0)))))

(func $sift (param $source i32) (param $zone i32) (param $table i32) (param $value i32)
  (local $set i32) (local $from i32) (local $last i32) (local $to i32) (local $moved i32) (local $item i32)
  (local $out i32)
  (local.set $to (local.tee $from (i32.add (local.tee $set (call $set (local.get $source))) (i32.const 4))))
  (local.set $last (i32.add (local.get $from) (i32.shl (i32.load (local.get $set)) (i32.const 2))))
  (local.set $moved (global.get $TEMPORARY))
  (if (i32.ne (local.get $from) (local.get $last)) (then
    (loop $more
      (local.set $item (i32.load (local.get $from)))
      (local.set $out (i32.shl
        (i32.eq (i32.load offset=$table (i32.shl (local.get $item) (i32.const 2))) (local.get $value))
        (i32.const 2)))
      (i32.store (local.get $moved) (local.get $item))
      (i32.store (local.get $to) (local.get $item))
      (local.set $moved (i32.add (local.get $moved) (local.get $out)))
      (local.set $to (i32.sub (i32.add (local.get $to) (i32.const 4)) (local.get $out)))
      (br_if $more (i32.ne (local.tee $from (i32.add (local.get $from) (i32.const 4))) (local.get $last))))
    (i32.store (local.get $set)
      (i32.sub (i32.shr_u (i32.sub (local.get $to) (local.get $set)) (i32.const 2)) (i32.const 1)))
    (call $lay_of (local.get $source) (local.get $zone) (global.get $TEMPORARY)
      (i32.shr_u (i32.sub (local.get $moved) (global.get $TEMPORARY)) (i32.const 2))))))

(func $deal (param $source i32) (param $zone i32) (param $wanted i64) (param $under i32) (param $refill i32)
  (local $set i32) (local $size i32)
  (local.set $size (i32.load (local.tee $set (call $set (local.get $source)))))
  (if (i32.and
        (i32.and (i64.eq (local.get $wanted) (i64.const 1)) (i32.ne (local.get $size) (i32.const 0)))
        (i32.eqz (local.get $under)))
    (then
      (i32.store (local.get $set) (i32.sub (local.get $size) (i32.const 1)))
      (call $lay_one
        (i32.load (i32.add (local.get $set) (i32.shl (local.get $size) (i32.const 2))))
        (local.get $source)
        (local.get $zone)))
    (else (if (i64.gt_s (local.get $wanted) (i64.const 0)) (then
      (call $deal_some
        (local.get $source) (local.get $zone) (local.get $wanted) (local.get $under) (local.get $refill)))))))

(func $deal_some (param $source i32) (param $zone i32) (param $wanted i64) (param $under i32) (param $refill i32)
  (local $set i32) (local $size i32) (local $dealt i32) (local $p i32)
  (loop $more
    (if (i64.le_s (local.get $wanted) (i64.const 0)) (then (return)))
    (local.set $size (i32.load (local.tee $set (call $set (local.get $source)))))
    (local.set $dealt (call $among (local.get $size) (local.get $wanted)))
    (if (local.get $dealt) (then
      (local.set $size (i32.sub (local.get $size) (local.get $dealt)))
      (i32.store (local.get $set) (local.get $size))
      (local.set $p (i32.add (i32.add (local.get $set) (i32.const 4)) (i32.shl (local.get $size) (i32.const 2))))
      (if (local.get $under)
        (then
          (drop (call $copy (global.get $TEMPORARY) (local.get $p) (local.get $dealt)))
          (call $lay_under (local.get $zone) (global.get $TEMPORARY) (local.get $dealt)))
        (else
          (drop (call $back (global.get $TEMPORARY) (local.get $p) (local.get $dealt) (local.get $wanted)))
          (call $lay_of (local.get $source) (local.get $zone) (global.get $TEMPORARY) (local.get $dealt))))
      (local.set $wanted (i64.sub (local.get $wanted) (i64.extend_i32_u (local.get $dealt))))))
    (if (i64.eqz (local.get $wanted)) (then (return)))
    (if (i32.lt_s (local.get $refill) (i32.const 0)) (then (return)))
    (if (i32.eqz (i32.load (call $set (local.get $refill)))) (then (return)))
    (call $pour (local.get $refill) (local.get $source))
    (br $more)))

(func $pour (param $source i32) (param $zone i32)
  (call $spill (local.get $source) (local.get $zone))
  (call $shuffle (local.get $zone)))

(func $exchange (param $zone i32) (param $one i32) (param $other i32)
  (local $p i32) (local $end i32) (local $item i32)
  (local.set $p (call $set (local.get $zone)))
  (local.set $end (i32.add (local.get $p) (i32.shl (i32.load (local.get $p)) (i32.const 2))))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $p) (local.get $end)))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $item (i32.load (local.get $p)))
    (if (i32.eq (local.get $item) (local.get $one)) (then (i32.store (local.get $p) (local.get $other))))
    (if (i32.eq (local.get $item) (local.get $other)) (then (i32.store (local.get $p) (local.get $one))))
    (br $more))))

(func $swap (param $one i32) (param $other i32)
  (local $here i32) (local $there i32)
  (local.set $here (call $zone_of (local.get $one)))
  (local.set $there (call $zone_of (local.get $other)))
  (call $exchange (local.get $here) (local.get $one) (local.get $other))
  (if (i32.ne (local.get $here) (local.get $there)) (then
    (call $exchange (local.get $there) (local.get $one) (local.get $other))))
  (call $lies_at (local.get $one) (local.get $here) (local.get $there))
  (call $lies_at (local.get $other) (local.get $there) (local.get $here)))

;; Fisher and Yates: what is chosen changes places with the last item that is left, several chosen by one number
;; ($BATCHES: for so many that are left, how many are left then, and the limit).
(func $shuffle (param $zone i32)
  (local $set i32) (local $last i32) (local $left i32) (local $then i32) (local $number i64) (local $at i32)
  (local $item i32)
  (local.set $left (i32.load (local.tee $set (call $set (local.get $zone)))))
  (local.set $last (i32.add (local.get $set) (i32.shl (local.get $left) (i32.const 2))))
  (call $burn (local.get $left))
  (block $done (loop $more
    (br_if $done (i32.le_u (local.get $left) (i32.const 1)))
    (local.set $then (i32.load offset=$BATCHES (i32.shl (local.get $left) (i32.const 3))))
    (local.set $number (call $fair
      (i64.load32_u offset=$BATCHES (i32.or (i32.shl (local.get $left) (i32.const 3)) (i32.const 4)))))
    (loop $out
      (local.set $number (i64.mul (local.get $number) (i64.extend_i32_u (local.get $left))))
      (local.set $at (i32.add (local.get $set)
        (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $number) (i64.const 32))) (i32.const 2))))
      (local.set $number (i64.and (local.get $number) (i64.const 0xffffffff)))
      (local.set $item (i32.load offset=4 (local.get $at)))
      (i32.store offset=4 (local.get $at) (i32.load (local.get $last)))
      (i32.store (local.get $last) (local.get $item))
      (local.set $last (i32.sub (local.get $last) (i32.const 4)))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $out (i32.gt_u (local.get $left) (local.get $then))))
    (br $more))))

;; ── asking, answering, playing ──

(func $burn (param $fuel i32)
  (i32.store (global.get $FUEL) (i32.sub (i32.load (global.get $FUEL)) (local.get $fuel))))

(func $spend (result i32)
  (call $burn (i32.const 1))
  (i32.lt_s (i32.load (global.get $FUEL)) (i32.const 0)))

(func $within_words (param $number i64) (result i32)  ;; of a limit that may be beyond all there is
  (if (i64.gt_s (local.get $number) (i64.const 2147483647)) (then (return (i32.const 2147483647))))
  (if (i64.lt_s (local.get $number) (i64.const -2147483647)) (then (return (i32.const -2147483647))))
  (i32.wrap_i64 (local.get $number)))

(func $asked (param $site i32) (param $seat i32) (param $p i32) (param $n i32) (param $least i64) (param $most i64)
  (local $to i32)
  (local.set $to (i32.load (global.get $ASKED_END)))
  (i32.store (local.get $to) (local.get $site))
  (i32.store offset=4 (local.get $to) (local.get $seat))
  (i32.store offset=8 (local.get $to) (call $within_words (local.get $least)))
  (i32.store offset=12 (local.get $to) (call $within_words (local.get $most)))
  (call $keep (i32.add (local.get $to) (i32.const 16)) (local.get $p) (local.get $n))
  (i32.store (global.get $ASKED_END)
    (i32.add (local.get $to) (i32.add (i32.const 20) (i32.shl (local.get $n) (i32.const 2))))))

(func $answer (param $p i32) (param $n i32)
  (local $to i32)
  (call $keep (local.tee $to (i32.load (global.get $ANSWER_END))) (local.get $p) (local.get $n))
  (i32.store (global.get $ANSWER_END)
    (i32.add (local.get $to) (i32.add (i32.const 4) (i32.shl (local.get $n) (i32.const 2))))))

;; likewise of at most one item
(func $answer_one (param $p i32) (param $n i32)
  (local $to i32)
  (i32.store (local.tee $to (i32.load (global.get $ANSWER_END))) (local.get $n))
  (i32.store offset=4 (local.get $to) (i32.load (local.get $p)))
  (i32.store (global.get $ANSWER_END)
    (i32.add (local.get $to) (i32.add (i32.const 4) (i32.shl (local.get $n) (i32.const 2))))))

(func (export "run") (result i32)
  (i32.store (global.get $PLAYING) (i32.const 0))
  (i32.store (global.get $ASKED_END) (global.get $ASKED))
  (call $run))

;; A number for what the pieces in some zones show, in their order, with their marks, and for all counters. The list of
;; the zones' addresses begins with its length, as those of the counters' and the marks' addresses do.
(func (export "glance") (param $list i32) (result i64)
  (local $number i64) (local $end i32) (local $p i32) (local $top i32) (local $mark i32) (local $marks i32)
  (local.set $number (i64.extend_i32_u (local.get $list)))
  (local.set $end (call $end_of (local.get $list)))
  (block $done (loop $zone
    (br_if $done (i32.eq (local.get $list) (local.get $end)))
    (local.set $list (i32.add (local.get $list) (i32.const 4)))
    (local.set $p (i32.load (local.get $list)))
    (local.set $top (call $end_of (local.get $p)))
    (local.set $number (call $mixed (local.get $number) (i64.load32_s (local.get $p))))
    (block $above (loop $piece
      (br_if $above (i32.eq (local.get $p) (local.get $top)))
      (local.set $p (i32.add (local.get $p) (i32.const 4)))
      (local.set $number (call $mixed (local.get $number) (call $looks (i32.load (local.get $p)))))
      (local.set $mark (global.get $MARKED))
      (local.set $marks (call $end_of (local.get $mark)))
      (block $marked (loop $more
        (br_if $marked (i32.eq (local.get $mark) (local.get $marks)))
        (local.set $mark (i32.add (local.get $mark) (i32.const 4)))
        (local.set $number (call $mixed (local.get $number) (i64.load32_s
          (i32.add (i32.load (local.get $mark)) (i32.shl (i32.load (local.get $p)) (i32.const 2))))))
        (br $more)))
      (br $piece)))
    (br $zone)))
  (local.set $list (global.get $COUNTERS))
  (local.set $end (call $end_of (local.get $list)))
  (block $done (loop $counter
    (br_if $done (i32.eq (local.get $list) (local.get $end)))
    (local.set $list (i32.add (local.get $list) (i32.const 4)))
    (local.set $number (call $mixed (local.get $number) (i64.load32_s (i32.load (local.get $list)))))
    (br $counter)))
  (local.get $number))

(func $end_of (param $list i32) (result i32)  ;; the address of its last item
  (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 2))))

(func $looks (param $piece i32) (result i64)
  (local.set $piece (i32.add (global.get $SHOWN) (i32.shl (local.get $piece) (i32.const 3))))
  (i64.add (i64.load32_s (local.get $piece)) (i64.load32_s (call $there (i32.load offset=4 (local.get $piece))))))

(func $mixed (param $number i64) (param $more i64) (result i64)
  (local.set $number (i64.mul (i64.xor (local.get $number) (local.get $more)) (i64.const -7046029254386353131)))
  (i64.xor (local.get $number) (i64.shr_u (local.get $number) (i64.const 29))))

;; Plays as many games as are ordered, each from the template, with seeds for the game and for the answers from the one
;; ordered on. Leaves in $PLAYED_OUT how many came to their end.
(func (export "play")
  (local $games i32) (local $seed i64) (local $game i32) (local $row i32)
  (local.set $seed (i64.load (global.get $ORDERS)))
  (local.set $games (i32.load offset=8 (global.get $ORDERS)))
  (local.set $row (global.get $RESULTS))
  (block $done (loop $more
    (br_if $done (i32.eq (local.get $game) (local.get $games)))
    (memory.copy (global.get $CELLS) (global.get $TEMPLATE) (global.get $STATE_SIZE))
    (call $seed (global.get $RANDOM) (local.get $seed) (i32.const 0))
    (br_if $done (call $play_on (local.get $seed) (local.get $row)))
    (i32.store (global.get $ENDED) (call $noted (local.get $row)))
    (br_if $done (i32.load (global.get $ENDED)))
    (local.set $row (i32.add (local.get $row) (i32.shl (global.get $ROW) (i32.const 2))))
    (local.set $seed (i64.add (local.get $seed) (i64.const 1)))
    (local.set $game (i32.add (local.get $game) (i32.const 1)))
    (br $more)))
  (i32.store (global.get $PLAYED_OUT) (local.get $game)))

;; Plays one game from the state that is there on, for at most so many decisions as are ordered, if that is not -1.
(func (export "play_on")
  (call $stop_as_ordered)
  (drop (call $play_on (i64.load (global.get $ORDERS)) (global.get $RESULTS))))

;; The same as often as is ordered, each time from this state with seeds for the game and for the answers from the one
;; ordered on.
(func (export "play_on_often") (local $left i32) (local $seed i64) (local $row i32)
  (call $stop_as_ordered)
  (local.set $seed (i64.load (global.get $ORDERS)))
  (local.set $left (i32.load offset=12 (global.get $ORDERS)))
  (local.set $row (global.get $RESULTS))
  (memory.copy (global.get $TEMPLATE) (global.get $CELLS) (global.get $STATE_SIZE))
  (block $done (loop $more
    (call $seed (global.get $RANDOM) (local.get $seed) (i32.const 0))
    (br_if $done (call $play_on (local.get $seed) (local.get $row)))
    (br_if $done (i32.eqz (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    (memory.copy (global.get $CELLS) (global.get $TEMPLATE) (global.get $STATE_SIZE))
    (local.set $row (i32.add (local.get $row) (i32.shl (global.get $ROW) (i32.const 2))))
    (local.set $seed (i64.add (local.get $seed) (i64.const 1)))
    (br $more))))

(func $stop_as_ordered (local $most i32)
  (i32.store (global.get $PLAYING) (i32.const 1))
  (local.set $most (i32.load offset=8 (global.get $ORDERS)))
  (i32.store (global.get $MOST) (select (global.get $LIMIT)
    (i32.add (i32.load (global.get $GAVE)) (local.get $most))
    (i32.ge_u (local.get $most) (i32.sub (global.get $LIMIT) (i32.load (global.get $GAVE)))))))

(func $play_on (param $seed i64) (param $row i32) (result i32) (local $given i32)
  (call $seed (global.get $CHANCE) (local.get $seed) (i32.const 1))
  (local.set $given (i32.load (global.get $GAVE)))
  (i32.store (global.get $FUEL) (global.get $FUEL_FOR_ONE))
  (i32.store (global.get $ENDED) (call $run))
  (if (i32.and (i32.eq (i32.load (global.get $ENDED)) (global.get $STOPPED))
               (i32.ge_s (i32.load (global.get $GAVE)) (global.get $LIMIT)))
    (then
      (i32.store (global.get $PC) (global.get $OVER))
      (i32.store (global.get $LIMITED) (i32.const 1))))
  (if (i32.or (i32.eq (i32.load (global.get $ENDED)) (global.get $PLAYED))
              (i32.eq (i32.load (global.get $ENDED)) (global.get $STOPPED)))
    (then (i32.store (global.get $ENDED) (call $result (local.get $row) (local.get $given)))))
  (i32.load (global.get $ENDED)))

;; The row of a game's results: rounds, decisions after so many, and whether it came to its limit; and of each seat its
;; place, or 0, and the points of each line. What is not counted is not reckoned either, for it may not be possible.
(func $result (param $row i32) (param $given i32) (result i32)
  (local $seat i32) (local $keys i32) (local $ended i32)
  (i32.store (local.get $row) (i32.load (global.get $ROUND)))
  (i32.store offset=4 (local.get $row) (i32.sub (i32.load (global.get $GAVE)) (local.get $given)))
  (i32.store offset=8 (local.get $row) (i32.load (global.get $LIMITED)))
  (local.set $row (i32.add (local.get $row) (i32.const 16)))
  (local.set $keys (global.get $KEYS))
  (loop $more
    (if (call $counts (local.get $seat))
      (then
        (local.set $ended (call $score (i64.extend_i32_u (local.get $seat)) (local.get $keys) (local.get $row)))
        (if (local.get $ended) (then (return (local.get $ended)))))
      (else (memory.fill (local.get $row) (i32.const 0) (i32.shl (global.get $LINE_COUNT) (i32.const 2)))))
    (local.set $keys (i32.add (local.get $keys) (i32.shl (global.get $KEY_COUNT) (i32.const 2))))
    (local.set $row (i32.add (local.get $row) (i32.shl (i32.add (global.get $LINE_COUNT) (i32.const 1)) (i32.const 2))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $seat) (global.get $SEATS))))
  (loop $more
    (local.set $seat (i32.sub (local.get $seat) (i32.const 1)))
    (local.set $row (i32.sub (local.get $row) (i32.shl (i32.add (global.get $LINE_COUNT) (i32.const 1)) (i32.const 2))))
    (i32.store (i32.sub (local.get $row) (i32.const 4)) (call $place (local.get $seat)))
    (br_if $more (local.get $seat)))
  (i32.const 0))

;; Whether a seat has a place and points: it is scored, and the game did not come to its limit without a result.
(func $counts (param $seat i32) (result i32)
  (i32.and (call $scored (local.get $seat))
           (i32.eqz (i32.and (i32.load (global.get $LIMITED)) (global.get $UNSCORED)))))

(func $place (param $seat i32) (result i32)
  (local $other i32) (local $place i32) (local $best i32)
  (if (i32.eqz (call $counts (local.get $seat))) (then (return (i32.const 0))))
  (local.set $best (call $best (local.get $seat)))
  (local.set $place (i32.const 1))
  (loop $more
    (if (call $scored (local.get $other)) (then
      (local.set $place (i32.add (local.get $place) (call $ahead (call $best (local.get $other)) (local.get $best))))))
    (local.set $other (i32.add (local.get $other) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $other) (global.get $SEATS))))
  (local.get $place))

;; The best of a seat and its partners.
(func $best_of_side (param $seat i32) (result i32)
  (local $other i32) (local $best i32)
  (local.set $best (local.get $seat))
  (loop $more
    (if (i32.and (call $scored (local.get $other)) (call $partners (local.get $other) (local.get $seat)))
      (then (if (call $ahead (local.get $other) (local.get $best)) (then (local.set $best (local.get $other))))))
    (local.set $other (i32.add (local.get $other) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $other) (global.get $SEATS))))
  (local.get $best))

(func $ahead (param $one i32) (param $other i32) (result i32)
  (local $left i32) (local $a i32) (local $b i32)
  (local.set $left (global.get $KEY_COUNT))
  (local.set $one (i32.add (global.get $KEYS) (i32.shl (i32.mul (local.get $one) (local.get $left)) (i32.const 2))))
  (local.set $other (i32.add (global.get $KEYS) (i32.shl (i32.mul (local.get $other) (local.get $left)) (i32.const 2))))
  (block $equal (loop $more
    (br_if $equal (i32.eqz (local.get $left)))
    (local.set $a (i32.load (local.get $one)))
    (local.set $b (i32.load (local.get $other)))
    (if (i32.ne (local.get $a) (local.get $b)) (then (return (i32.gt_s (local.get $a) (local.get $b)))))
    (local.set $one (i32.add (local.get $one) (i32.const 4)))
    (local.set $other (i32.add (local.get $other) (i32.const 4)))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br $more)))
  (i32.const 0))

;; ── counting ──

;; The choices that a decision has, as bits: into what the game had so far, and each once more counted.
(func $meet (param $bits i64) (param $kept i32) (param $counts i32)
  (local $at i32)
  (i64.store (local.get $kept) (i64.or (i64.load (local.get $kept)) (local.get $bits)))
  (block $done (loop $more
    (br_if $done (i64.eqz (local.get $bits)))
    (local.set $at (i32.add (local.get $counts) (i32.shl (i32.wrap_i64 (i64.ctz (local.get $bits))) (i32.const 2))))
    (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
    (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
    (br $more))))

;; What a game had of choices, seat by seat, to the sums of all games: an entry has six numbers, the games, wins, points,
;; squares of these, and how often it came. The game then has none, and one without a result adds none.
(func $sum_up (param $row i32)
  (local $seat i32) (local $winners i32) (local $p i32) (local $counts i32) (local $sums i32) (local $half i32)
  (local $kept i32)
  (local $won f64) (local $total f64) (local $ended f64) (local $games v128) (local $points v128)
  (local.set $ended
    (f64.convert_i32_u (i32.eqz (i32.and (i32.load (global.get $LIMITED)) (global.get $UNSCORED)))))
  (local.set $row (i32.add (local.get $row) (i32.const 12)))
  (local.set $p (local.get $row))
  (loop $more
    (local.set $winners (i32.add (local.get $winners) (i32.eq (i32.load (local.get $p)) (i32.const 1))))
    (local.set $p (i32.add (local.get $p) (i32.shl (i32.add (global.get $LINE_COUNT) (i32.const 1)) (i32.const 2))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $more (i32.lt_u (local.get $seat) (global.get $SEATS))))
  (local.set $kept (global.get $CHOICE_BITS))
  (local.set $counts (global.get $CHOICE_COUNTS))
  (local.set $sums (global.get $CHOICE_SUMS))
  (local.set $seat (i32.const 0))
  (loop $of_seat
    (local.set $won (f64.const 0))
    (if (i32.eq (i32.load (local.get $row)) (i32.const 1)) (then
      (local.set $won (f64.convert_i32_u (i32.div_u (global.get $WIN) (local.get $winners))))))
    (local.set $total (f64.convert_i64_s (call $total (i32.add (local.get $row) (i32.const 4)))))
    (local.set $games (f64x2.replace_lane 1 (f64x2.splat (local.get $ended))
      (f64.mul (local.get $ended) (local.get $won))))
    (local.set $points (f64x2.replace_lane 1 (f64x2.splat (f64.mul (local.get $ended) (local.get $total)))
      (f64.mul (local.get $ended) (f64.mul (local.get $total) (local.get $total)))))
    (local.set $half (i32.const 2))
    (loop $of_half
      (local.set $p (global.get $CHOICE_WIDTHS))
      (loop $of_word
        (if (i64.ne (i64.load (local.get $kept)) (i64.const 0)) (then
          (call $sum_up_word (local.get $kept)
            (local.get $counts) (local.get $sums) (local.get $games) (local.get $points) (local.get $ended))))
        (local.set $kept (i32.add (local.get $kept) (i32.const 8)))
        (local.set $counts (i32.add (local.get $counts) (i32.shl (i32.load (local.get $p)) (i32.const 2))))
        (local.set $sums (i32.add (local.get $sums) (i32.mul (i32.load (local.get $p)) (i32.const 48))))
        (local.set $p (i32.add (local.get $p) (i32.const 4)))
        (br_if $of_word (i32.lt_u (local.get $p)
          (i32.add (global.get $CHOICE_WIDTHS) (i32.shl (global.get $CHOICE_WORDS) (i32.const 2))))))
      (br_if $of_half (local.tee $half (i32.sub (local.get $half) (i32.const 1)))))
    (local.set $row (i32.add (local.get $row) (i32.shl (i32.add (global.get $LINE_COUNT) (i32.const 1)) (i32.const 2))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $of_seat (i32.lt_u (local.get $seat) (global.get $SEATS)))))

;; the points of a seat, from those of its lines
(func $total (param $p i32) (result i64)
  (local $total i64) (local $left i32)
  (local.set $left (global.get $LINE_COUNT))
  (block $done (loop $more
    (br_if $done (i32.eqz (local.get $left)))
    (local.set $total (i64.add (local.get $total) (i64.load32_s (local.get $p))))
    (local.set $p (i32.add (local.get $p) (i32.const 4)))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br $more)))
  (local.get $total))

(func $sum_up_word (param $kept i32) (param $counts i32) (param $sums i32) (param $games v128) (param $points v128)
  (param $ended f64)
  (local $bits i64) (local $at i32)
  (local.set $bits (i64.load (local.get $kept)))
  (i64.store (local.get $kept) (i64.const 0))
  (block $done (loop $more
    (br_if $done (i64.eqz (local.get $bits)))
    (local.set $at (i32.wrap_i64 (i64.ctz (local.get $bits))))
    (local.set $kept (i32.add (local.get $counts) (i32.shl (local.get $at) (i32.const 2))))
    (local.set $at (i32.add (local.get $sums) (i32.mul (local.get $at) (i32.const 48))))
    (v128.store (local.get $at) (f64x2.add (v128.load (local.get $at)) (local.get $games)))
    (v128.store offset=16 (local.get $at) (f64x2.add (v128.load offset=16 (local.get $at)) (local.get $points)))
    (f64.store offset=32 (local.get $at) (f64.add (f64.load offset=32 (local.get $at))
      (f64.mul (local.get $ended) (f64.convert_i32_u (i32.load (local.get $kept))))))
    (i32.store (local.get $kept) (i32.const 0))
    (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
    (br $more))))
