"""Native code for every layer of a plan, for the scan before the first layer, and for the loop over iterations.

A layer is a function that returns 1, with nothing changed, if an average that it needs is no integer. Its parts, in
order: rows that pointers name are read; sparse products are added up from lists of rows that are not 0; row 0 and the
numbers of the body are computed; then one loop over the rows, which also runs the scans of the next layer's heads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hyloop.execute.cpu.expressions import Ref, Sum
from hyloop.execute.cpu.memory import brought_places, places, stores
from hyloop.execute.cpu.native.combs import Comb, changes, combs
from hyloop.execute.cpu.native.emit import SLOTS, CodeLines, Context, Function, Operand
from hyloop.execute.cpu.native.pointers import Pointers, leave_if
from hyloop.execute.cpu.native.products import Products
from hyloop.execute.cpu.native.rows import RowLoop, Running, Scalars
from hyloop.execute.cpu.native.scans import finish
from hyloop.execute.cpu.plan import LayerPlan, Plan, Product


def module(plan: Plan, lanes: int) -> str:
    """The text of the whole module."""
    wide = lanes * (64 if plan.dtype == "float64" else 32)
    parts = [_Layer(plan, number, lanes).text() for number in range(-1, len(plan.layers))]
    lines = [*Function(plan.dtype, lanes).declarations(), *parts, _iterations(plan)]
    lines.append(f'attributes #0 = {{ nounwind "prefer-vector-width"="{wide}" "min-legal-vector-width"="{wide}" }}')
    return "\n".join(lines)


def sources(plan: Plan) -> list[tuple[int, Product]]:
    """The products that are computed in every iteration, with their layers: each has a list, by its place here."""
    return [(n, product) for n, layer in enumerate(plan.layers) for product in layer.products if not product.fixed]


def _iterations(plan: Plan) -> str:
    f = Function(plan.dtype, 2)
    text = CodeLines(f)
    text.lines.append("define i64 @run(ptr %context, i64 %most) #0 {\nentry:")
    first = text.let(f"getelementptr i64, ptr %context, i64 {SLOTS.index('first')}")
    first = text.let(f"load ptr, ptr {first}")
    flag = text.let(f"getelementptr {f.number}, ptr {first}, i64 {plan.halt}")
    stopped = text.let(f"getelementptr i64, ptr %context, i64 {SLOTS.index('stopped')}")
    iterations = text.let(f"getelementptr i64, ptr %context, i64 {SLOTS.index('iterations')}")
    text.do("br label %test")
    text.label("test")
    text.do("%done = phi i64 [ 0, %entry ], [ %next, %end ]")
    more = text.let("icmp slt i64 %done, %most")
    text.do(f"br i1 {more}, label %halted, label %leave")
    text.label("halted")
    known = plan.boundary[plan.halt].first
    value = text.let(f"load {f.number}, ptr {flag}") if known is None else f.constant(known)
    going = text.let(f"fcmp une {f.number} {value}, {f.constant(1)}")
    text.do(f"br i1 {going}, label %layer0, label %leave")
    for number in range(len(plan.layers)):
        text.label(f"layer{number}")
        bad = text.let(f"call i32 @apply{number}(ptr %context)")
        wrong = text.let(f"icmp ne i32 {bad}, 0")
        after = f"layer{number + 1}" if number + 1 < len(plan.layers) else "end"
        text.do(f"br i1 {wrong}, label %stop{number}, label %{after}")
        text.label(f"stop{number}")
        text.do(f"store i64 {number}, ptr {stopped}")
        text.do("br label %leave")
    text.label("end")
    text.do("%next = add i64 %done, 1")
    old = text.let(f"load i64, ptr {iterations}")
    text.do(f"store i64 {text.let(f'add i64 {old}, 1')}, ptr {iterations}")
    text.do("br label %test")
    text.label("leave")
    text.do("ret i64 %done")
    text.lines.append("}")
    return "\n".join(text.lines)


class _Layer:
    """The function of one layer; number -1 is the first scan, for the heads of layer 0 only."""

    def __init__(self, plan: Plan, number: int, lanes: int) -> None:
        self.plan, self.number = plan, number
        self.following = (number + 1) % len(plan.layers)
        self.here: LayerPlan = plan.layers[max(number, 0)]
        self.next: LayerPlan = plan.layers[self.following]
        self.f = Function(plan.dtype, lanes)
        self.before = CodeLines(self.f)
        self.context = Context(self.f, self.before)
        self.place, (self.brought_place, _) = places(plan), brought_places(plan)
        self.offsets = [sum(len(each.brought) for each in plan.layers[:n]) for n in range(len(plan.layers))]
        self.first = Scalars(self.f, self.before, self._loader("first"))
        self.rest = Scalars(self.f, self.before, self._loader("rest"))
        self.rows: dict[str, str] = {}
        self.vectors: dict[Ref, Operand] = {}

    def text(self) -> str:
        f, before = self.f, self.before
        name = f"apply{self.number}" if self.number >= 0 else "begin"
        head = [f"define i32 @{name}(ptr %context) #0 {{", "entry:"]
        self.context.load_all()
        products = Products(f, self.context)
        if self.number >= 0:
            self._leave_if_flagged()
            self._pointers()
            for place, product in self._own_products():
                source = self._source_array(place, product, self.here)
                found = self._array(Ref("brought", product.to))
                products.scatter(before, place, product.kind, source, found)
            self.first.run(self.here.first)
            self.rest.run(self.here.body)
        for place, _ in self._next_products():
            before.do(f"store i64 0, ptr {self.context.element(before, 'counts', place, 'i64')}")
        loop = RowLoop(f, self.context, before)
        self._body(loop)
        # Numbers that are written after the loop are loaded before it: the same place may be written.
        pending = self._numbers()
        tails = [self._row_zero(running) for running in loop.running]
        whole = loop.close()
        offset = self.offsets[self.following]
        flags = [finish(self.context, whole, *each, offset) for each in zip(loop.running, tails, strict=True)]
        self._flag(whole, flags)
        for slot, column, operand in pending:
            whole.do(f"store {f.number} {operand}, ptr {self.context.element(whole, slot, column)}")
        for place, product in self._own_products():
            found = self.context.row(whole, "brought", self.brought_place[self.number, product.to])
            # In a model of one layer the list is that of the next iteration by now.
            products.clear(whole, place, product.kind, found, listed=self.following != self.number)
        whole.do("ret i32 0")
        return "\n".join([*head, *before.lines, *whole.lines, "}"])

    # -- where values come from

    def _loader(self, slot: str) -> Callable[[Ref], str]:
        def load(ref: Ref) -> str:
            array, index = slot, ref.number
            if ref.space == "brought":
                array, index = f"brought_{slot}", self.offsets[max(self.number, 0)] + ref.number
            return self.before.let(f"load {self.f.number}, ptr {self.context.element(self.before, array, index)}")

        return load

    def _row(self, slot: str, row: int, kind: str | None = None) -> str:
        key = f"{slot} {row}"
        if key not in self.rows:
            self.rows[key] = self.context.row(self.before, slot, row, kind)
        return self.rows[key]

    def _array(self, ref: Ref) -> str:
        if ref.space == "column":
            return self._row("body", self.place[ref.number])
        return self._row("brought", self.brought_place[self.number, ref.number])

    def _is_vector(self, ref: Ref) -> bool:
        if ref.space == "column":
            return self.here.before[ref.number].vector
        if ref.space == "brought":
            return self.here.brought[ref.number].vector
        return self.here.body.nodes[ref.number].vector

    def _own_products(self) -> list[tuple[int, Product]]:
        return [(place, each) for place, (layer, each) in enumerate(sources(self.plan)) if layer == self.number]

    def _next_products(self) -> list[tuple[int, Product]]:
        return [(place, each) for place, (layer, each) in enumerate(sources(self.plan)) if layer == self.following]

    # -- before the rows

    def _leave_if_flagged(self) -> None:
        text = self.before
        flag = text.let(f"load i64, ptr {self.context.element(text, 'flags', self.number, 'i64')}")
        leave_if(self.f, text, text.let(f"icmp ne i64 {flag}, 0"))

    def _pointers(self) -> None:
        pointers = Pointers(self.context, self.before, self.first, self.rest, self._arrays)
        for read in self.here.reads:
            pointers.read(read)
        for gather in self.here.gathers:
            found = [self._array(Ref("brought", to)) for to in gather.to]
            pointers.gather(gather, found)

    def _arrays(self, ref: Ref) -> str | None:
        return self._array(ref) if self._is_vector(ref) else None

    # -- sparse products

    def _source_array(self, place: int, product: Product, layer: LayerPlan) -> str:
        plain = product.source.plain
        if plain is not None and layer.before[plain.number].vector:
            return self._row("body", self.place[plain.number])
        return self._row("sources", place)

    # -- the rows

    def _here_value(self, loop: RowLoop, ref: Ref) -> Operand:
        if not self._is_vector(ref):
            return Operand(self.rest.ref(ref), vector=False)
        if ref not in self.vectors:
            self.vectors[ref] = loop.load(self._array(ref))
        return self.vectors[ref]

    def _body(self, loop: RowLoop) -> None:
        f, after = self.f, self.plan.layers[self.following].before

        def here(ref: Ref) -> Operand:
            return self._here_value(loop, ref)

        new: dict[int, Operand] = {}
        if self.number >= 0:
            found = self._combs()
            rarely = {number for comb in found for number in comb.nodes}
            self._nodes(loop, [number for number in range(len(self.here.body.nodes)) if number not in rarely])
            columns = stores(self.here.before, after, self.here.body.new, 1)
            for column in columns:
                value = self.here.body.new[column]
                constant = Operand(f.constant(value), vector=False) if not isinstance(value, Ref) else None
                if not any(column in comb.columns for comb in found):
                    new[column] = constant or here(value)  # type: ignore[arg-type]
            for column, operand in new.items():
                if after[column].vector:
                    loop.store(self._row("body", self.place[column]), operand)
            for comb in found:
                self._comb(loop, comb)
        self.new_rest = new

        def following(ref: Ref) -> Operand:
            return new[ref.number] if ref.number in new else here(ref)

        for scan in self.next.scans:
            loop.scan(scan, following)
        for place, product in self._next_products():
            source = loop.sum(product.source, following)
            if product.source.plain is None or not after[product.source.plain.number].vector:
                loop.store(self._row("sources", place), source)
            loop.collect(source, place)

    def _nodes(self, loop: RowLoop, chosen: Sequence[int]) -> None:
        """Compute nodes of the rows."""
        for number in chosen:
            node = self.here.body.nodes[number]
            if node.vector:
                total = loop.sum(node.of, lambda ref: self._here_value(loop, ref)).text
                if node.relu:
                    total = self.f.relu(loop.text, self.f.vector, total)
                self.vectors[Ref("node", number)] = Operand(total, vector=True)

    def _combs(self) -> list[Comb]:
        """Columns that change on few rows, and that nothing but the state needs."""
        after = self.plan.layers[self.following].before
        sums = [each for scan in self.next.scans for each in (scan.score[1], *(body for _, body in scan.values))]
        sums += [product.source for _, product in self._next_products()]
        needed = {ref.number for of in sums for ref, _ in of.terms}
        columns = stores(self.here.before, after, self.here.body.new, 1)
        vectors = [column for column in columns if self.here.before[column].vector and after[column].vector]
        return combs(self.here.body, [column for column in vectors if column not in needed])

    def _comb(self, loop: RowLoop, comb: Comb) -> None:
        """Compute the columns of a comb, if one of them changes on one of the rows."""
        f, text, known = self.f, loop.text, dict(self.vectors)
        upper, middle = (loop.widened(self.vectors[ref]) for ref in (comb.upper, comb.middle))
        some, end = f.block("some"), f.block("none")
        text.do(f"br i1 {changes(f, text, comb, upper, middle)}, label %{some}, label %{end}")
        text.label(some)
        self._nodes(loop, comb.nodes)
        for column in comb.columns:
            value = self.here.body.new[column]
            assert isinstance(value, Ref)
            loop.store(self._row("body", self.place[column]), self.vectors[value])
        text.do(f"br label %{end}")
        text.label(end)
        loop.block = end
        self.vectors = known  # what was computed in between is not known here

    # -- after the rows

    def _numbers(self) -> list[tuple[str, int, str]]:
        """The numbers to be written at the end: row 0, and columns that are one number on the body."""
        if self.number < 0:
            return []
        after = self.plan.layers[self.following].before
        found = [
            ("first", c, self.first.value(self.here.first.new[c]))
            for c in stores(self.here.before, after, self.here.first.new, 0)
        ]
        self.new_first = {column: operand for _, column, operand in found}
        return found + [("rest", c, each.text) for c, each in self.new_rest.items() if not after[c].vector]

    def _row_zero(self, running: Running) -> list[str]:
        """Row 0's score and values in a scan of the next layer, and the values that all rows of the body share."""
        f, text = self.f, self.before
        known = self.new_first if self.number >= 0 else {}

        def total(of: Sum, rest: bool) -> str:
            start = f.constant(of.constant) if of.constant or not of.terms else None
            return f.weighted(text, f.number, [(ref_of(ref, rest), weight) for ref, weight in of.terms], start)

        def ref_of(ref: Ref, rest: bool) -> str:
            if rest:
                return self.new_rest[ref.number].text if ref.number in self.new_rest else self.rest.ref(ref)
            return known[ref.number] if ref.number in known else self.first.ref(ref)

        scan = running.scan
        found = [total(scan.score[0], rest=False)]
        for number, (first, body) in enumerate(scan.values):
            found.append(total(first, rest=False))
            found.append("" if number in running.accumulated else total(body, rest=True))
        return found

    def _flag(self, text: CodeLines, flags: list[list[str]]) -> None:
        """Note for the next layer whether an average of its scans is no integer."""
        if not self.next.scans:
            return
        total = "false"
        for each in (flag for some in flags for flag in some):
            total = text.let(f"or i1 {total}, {each}")
        wide = text.let(f"zext i1 {total} to i64")
        text.do(f"store i64 {wide}, ptr {self.context.element(text, 'flags', self.following, 'i64')}")
