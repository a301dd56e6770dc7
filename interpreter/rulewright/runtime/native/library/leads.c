// Implicit minimax: beside the mean of its games, an answer has the lead to which best play seems to lead, as far as the tree
// reaches. Where points are counted, that tells at once what random games tell only after many.
//
// A lead tells something only where points are kept: where they come and go, such as discs that are turned over, who is
// ahead in the middle of a game may well be behind at its end.
//
// Source: Lanctot, Winands, Pepels and Sturtevant, "Monte Carlo tree search with heuristic evaluations using implicit
// minimax backups", 2014.

#define NO_LEAD -1.0f
// Of so many steps at most one may take points from a side.
#define STEPS_TO_A_FALL 8

static inline int keeps_points(void) { return HERE->fell * STEPS_TO_A_FALL <= HERE->kept + STEPS_TO_A_FALL; }

// The lead of a node as its share of 1, for one of two sides.
static inline float lead_of(struct node *node, int side) { return side ? 1 - node->lead : node->lead; }

// Take note of the points of both sides at a new node, and whether they are fewer than before.
static void note_points(struct node *node) {
    struct node *before = node->above;
    for (int seat = 0; seat < NUMBER(SEATS); seat++) node->points[side_of(seat) & 1] += (int)SUMS[seat];
    while (before && before->picks) before = before->above;
    if (!before || !before->above || before->lead < 0) return;
    if (node->points[0] < before->points[0] || node->points[1] < before->points[1])
        HERE->fell++;
    else
        HERE->kept++;
}

// Let a new node have the lead of a row of results.
static void set_lead(struct node *node, int *row) {
    add_points(row);
    note_points(node);
    work_out_leads(row);
    int seat = 0;
    while (side_of(seat)) seat++;
    node->lead = (float)(0.5 + 0.5 * bent(SUMS[seat] / HERE->scale));
}

// The lead that an answer leads to, for who is asked; NO_LEAD where it is not known or decided by chance.
static inline float lead_after(struct choice *choice, int side) {
    return choice->next && !choice->open && choice->next->lead >= 0 ? lead_of(choice->next, side) : NO_LEAD;
}

// Let a node have the lead of its best answer; return whether it has another one now.
static int update_lead(struct node *node) {
    int side = side_of(node->question->seat);
    float best = NO_LEAD, before = node->lead;
    for (struct choice *choice = node->choices, *last = choice + node->count; choice != last; choice++) {
        float lead = lead_after(choice, side);
        if (lead > best) best = lead;
    }
    if (best >= 0) node->lead = side ? 1 - best : best;
    return node->lead != before;
}
