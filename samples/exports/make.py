#!/usr/bin/env python3
"""Makes the exports of this folder anew from plain/: the same rows as other programs write them.

The workbooks are saved by LibreOffice (soffice). What each export is and why its mapping says what
it says stands in README.md; the mappings themselves are written by hand, in each tieout.toml.
"""

import csv
import datetime
import glob
import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
UTC = datetime.timezone.utc


def rows(name):
    with open(HERE / "plain" / name, newline="") as file:
        return list(csv.DictReader(file))


ORDERS, TRANSACTIONS = rows("orders.csv"), rows("transactions.csv")


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def told(text, form, hours=0):
    """A time as a clock some hours ahead of UTC shows it; blank for none."""
    if not text:
        return ""
    return (moment(text) + datetime.timedelta(hours=hours)).strftime(form)


def berlin(text, form):
    """May to July: summer time."""
    return told(text, form, 2) if not text or "2023-03-27" < text < "2023-10-28" else told(
        text, form, 1 if text[:4] == "2022" and not "2022-03-28" < text < "2022-10-29" else
        2 if text[:4] == "2022" else 1)


def epoch(text, factor):
    return str(int(moment(text).timestamp()) * factor) if text else ""


def cents(text):
    return str(round(float(text) * 100)) if text else ""


def comma(text):
    return text.replace(".", ",")


def table(names, source, change):
    """Renamed and changed columns, in the order of the names."""
    return [dict((names[key], value) for key, value in change(dict(row)).items() if key in names)
            for row in source]


def text(found, separator=",", quoting=csv.QUOTE_MINIMAL, end="\r\n"):
    out = io.StringIO()
    writer = csv.DictWriter(
        out, found[0].keys(), delimiter=separator, quoting=quoting, lineterminator=end)
    writer.writeheader()
    writer.writerows(found)
    return out.getvalue()


def tabs(found):
    lines = [list(found[0].keys())] + [list(row.values()) for row in found]
    return "".join("\t".join(line) + "\n" for line in lines)


def save(path, content, encoding="utf-8"):
    path = HERE / path
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))


def mapped(row, words, times, time, price=lambda text: text, blank=""):
    for name in times:
        row[name] = time(row[name])
    row["status" if "status" in row else "kind"] = words[row["status" if "status" in row else "kind"]]
    row["unit_price"] = price(row["unit_price"])
    return {key: value if value != "" else blank for key, value in row.items()}


TIMES = ["placed_at", "paid_at", "fulfilled_at"]
SAME = {word: word for word in ["created", "paid", "fulfilled", "refunded", "cancelled"]}
OWN = {name: name for name in ORDERS[0]}


def orders(names, words=SAME, time=lambda text: text, price=lambda text: text, blank=""):
    return table(names, ORDERS, lambda row: mapped(row, words, TIMES, time, price, blank))


def named(*pairs):
    """Names for some columns of orders; the others keep their own."""
    return {**OWN, **dict(pairs)}


def workbook(path, sheets):
    """A workbook by LibreOffice, of sheets by name: rows of cells that it takes for what they are."""
    def cell(value):
        value = str(value)
        if value.startswith("@"):
            stamp = value[1:].replace(" ", "T")
            return (f'<table:table-cell table:style-name="time" office:value-type="date" '
                    f'office:date-value="{stamp}"/>')
        if value.startswith("#"):
            return f'<table:table-cell office:value-type="float" office:value="{value[1:]}"/>'
        escaped = value.replace("&", "&amp;").replace("<", "&lt;")
        return (f'<table:table-cell office:value-type="string"><text:p>{escaped}</text:p>'
                f'</table:table-cell>') if value else "<table:table-cell/>"

    tables = "".join(
        f'<table:table table:name="{name}">' + "".join(
            f"<table:table-row>{''.join(cell(value) for value in line)}</table:table-row>"
            for line in lines) + "</table:table>" for name, lines in sheets.items())
    spaces = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"' for short, long in [
            ("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"),
            ("number", "datastyle")])
    document = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document {spaces} office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles><number:date-style style:name="N1"><number:year number:style="long"/>
<number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text>
<number:day number:style="long"/><number:text> </number:text><number:hours number:style="long"/>
<number:text>:</number:text><number:minutes number:style="long"/><number:text>:</number:text>
<number:seconds number:style="long"/></number:date-style>
<style:style style:name="time" style:family="table-cell" style:data-style-name="N1"/>
</office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet>
</office:body></office:document>"""
    with tempfile.TemporaryDirectory() as folder:
        stem = pathlib.Path(path).stem
        source = pathlib.Path(folder) / f"{stem}.fods"
        source.write_text(document)
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless",
             "--convert-to", "xlsx", "--outdir", folder, str(source)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (HERE / path).parent.mkdir(exist_ok=True)
        shutil.copy(f"{folder}/{stem}.xlsx", HERE / path)


def lines(found, form=lambda key, value: value):
    return [list(found[0].keys())] + [[form(k, v) for k, v in row.items()] for row in found]


def main():
    shanghai = lambda form: lambda text: told(text, form, 8)

    save("01-shopify/orders_export_1.csv", text(orders(
        named(("order_id", "Name"), ("sku", "Lineitem sku"), ("status", "Financial Status"),
              ("placed_at", "Created at"), ("paid_at", "Paid at"),
              ("fulfilled_at", "Fulfilled at"), ("quantity", "Lineitem quantity"),
              ("unit_price", "Lineitem price"), ("currency", "Currency"),
              ("storefront", "Billing Country"), ("user_id", "Customer ID"),
              ("channel", "Source"), ("transaction_id", "Payment Reference")),
        {**SAME, "created": "pending", "cancelled": "voided"},
        shanghai("%Y-%m-%d %H:%M:%S +0800"))))

    save("02-mysql-batch/orders.txt", tabs(orders(
        named(("order_id", "id"), ("sku", "product"), ("status", "state"),
              ("placed_at", "created"), ("paid_at", "paid"), ("fulfilled_at", "delivered"),
              ("unit_price", "amount"), ("user_id", "uid"), ("transaction_id", "apple_txn")),
        {word: word.upper() for word in SAME}, shanghai("%Y-%m-%d %H:%M:%S"), cents, "NULL")))

    save("03-postgres-copy/orders.txt", tabs(orders(
        OWN, SAME, lambda text: told(text, "%Y-%m-%d %H:%M:%S+00"), blank="\\N")))

    german = orders(
        named(("order_id", "Bestellnummer"), ("sku", "Artikel"), ("status", "Zustand"),
              ("placed_at", "Datum"), ("paid_at", "Bezahlt"), ("fulfilled_at", "Geliefert"),
              ("quantity", "Menge"), ("unit_price", "Preis"), ("currency", "Währung"),
              ("storefront", "Land"), ("user_id", "Kunde"), ("transaction_id", "Apple-Vorgang")),
        {"created": "angelegt", "paid": "bezahlt", "fulfilled": "erfüllt",
         "refunded": "erstattet", "cancelled": "storniert"},
        lambda text: berlin(text, "%d.%m.%Y %H:%M:%S"), comma)
    width = len(german[0])
    save("04-excel-german/Bestellungen.csv",
         "Bestellungen Juni 2023" + ";" * (width - 1) + "\r\n" + ";" * (width - 1) + "\r\n"
         + text(german, ";") + f"Summe;{len(german)}" + ";" * (width - 2) + "\r\n"
         + "erstellt am 01.07.2023\r\n", "cp1252")

    chinese = named(
        ("order_id", "订单号"), ("sku", "商品编号"), ("status", "订单状态"),
        ("placed_at", "下单时间"), ("paid_at", "支付时间"), ("fulfilled_at", "发货时间"),
        ("quantity", "数量"), ("unit_price", "单价"), ("currency", "币种"),
        ("storefront", "国家"), ("user_id", "用户"), ("transaction_id", "交易号"),
        ("coins", "金币"), ("channel", "渠道"))
    states = {"created": "待支付", "paid": "已支付", "fulfilled": "已完成", "refunded": "已退款",
              "cancelled": "已取消"}

    def slashes(value):
        if not value:
            return ""
        found = moment(value) + datetime.timedelta(hours=8)
        return f"{found.year}/{found.month}/{found.day} {found:%H:%M:%S}"

    save("05-excel-chinese-gbk/orders.csv", text(orders(chinese, states, slashes)), "gbk")
    save("06-excel-chinese-utf8/orders.csv", text(orders(
        chinese, states, slashes, lambda price: price and "¥" + price)), "utf-8-sig")

    camel = {name: name.split("_")[0] + "".join(part.title() for part in name.split("_")[1:])
             for name in OWN}

    def java(row):
        found = {camel[key]: value or None for key, value in row.items()}
        for key in ["placedAt", "paidAt", "fulfilledAt"]:
            found[key] = int(epoch(row[{v: k for k, v in camel.items()}[key]], 1000) or 0) or None
        found["status"] = row["status"].upper()
        found["quantity"] = int(row["quantity"])
        found["unitPrice"] = float(row["unit_price"]) if row["unit_price"] else None
        return found

    save("07-java-service/orders.json", json.dumps(
        {"code": 0, "message": "ok", "data": [java(row) for row in ORDERS]}, indent=1) + "\n")

    save("08-bigquery/orders.jsonl", "".join(
        json.dumps({key: value for key, value in row.items() if value != ""}) + "\n"
        for row in orders(OWN, SAME, lambda text: told(text, "%Y-%m-%d %H:%M:%S UTC"))))

    warehouse = text(orders(
        named(("placed_at", "placed_at_us"), ("paid_at", "paid_at_us"),
              ("fulfilled_at", "fulfilled_at_us"), ("unit_price", "unit_price_cents"),
              ("order_id", "order_key"), ("user_id", "user_key")),
        SAME, lambda text: epoch(text, 1_000_000), cents), end="\n")
    save("09-warehouse/fct_orders.csv.gz", gzip.compress(warehouse.encode(), 9, mtime=0))

    def typed(key, value):
        if value and key in ("Quantity", "Price", "Coins"):
            return "#" + value
        return "@" + value if value and key in ("Created", "Paid", "Delivered") else value

    sheet = named(
        ("order_id", "Order No"), ("sku", "Product"), ("status", "State"),
        ("placed_at", "Created"), ("paid_at", "Paid"), ("fulfilled_at", "Delivered"),
        ("quantity", "Quantity"), ("unit_price", "Price"), ("storefront", "Country"),
        ("user_id", "User"), ("coins", "Coins"))
    clock = shanghai("%Y-%m-%d %H:%M:%S")
    workbook("10-libreoffice/orders.xlsx", {"Orders": lines(orders(sheet, SAME, clock), typed)})

    with zipfile.ZipFile(HERE / "11-zip-of-apple/apple.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(glob.glob(str(HERE / "apple/S_D_*.txt.gz"))):
            name = zipfile.ZipInfo("June/" + os.path.basename(path), (2023, 7, 5, 0, 0, 0))
            archive.writestr(name, open(path, "rb").read())
        archive.writestr(
            zipfile.ZipInfo("__MACOSX/June/._S_D_85127269_20230601.txt.gz", (2023, 7, 5, 0, 0, 0)),
            b"\0")

    save("12-sqlite/orders.csv", text(orders(
        OWN, SAME, lambda text: epoch(text, 1),
        lambda price: repr(float(price)) if price else ""), end="\n"))

    save("13-parquet-by-duckdb/orders.csv", text(orders(
        OWN, SAME, lambda text: told(text, "%Y-%m-%d %H:%M:%S")), end="\n"))

    sold = {name: name for name in TRANSACTIONS[0]}
    sold.update(transaction_id="Transaction", sku="Product", purchased_at="Bought",
                expires_at="Expires", revoked_at="Revoked", unit_price="Price")

    def of_sheet(key, value):
        if value and key in ("Bought", "Expires", "Revoked"):
            return "@" + value
        return "#" + value if value and key == "Price" else value

    def bought(row):
        for name in ["purchased_at", "expires_at", "revoked_at"]:
            row[name] = clock(row[name])
        return row

    workbook("14-two-sheets/shop.xlsx", {
        "Notes": [["Exported by the shop"]],
        "Orders": lines(orders(sheet, SAME, clock), typed),
        "Apple": lines(table(sold, TRANSACTIONS, bought), of_sheet)})

    save("15-excel-unicode-text/orders.txt", "\ufeff" + tabs(orders(
        named(("order_id", "Order Number"), ("placed_at", "Ordered")), SAME,
        shanghai("%Y/%m/%d %H:%M"[:-2] + "%M:%S"))).replace("\n", "\r\n"), "utf-16-le")

    def french(price):
        if not price:
            return ""
        whole, part = price.split(".")
        return f"{int(whole):,}".replace(",", "\u202f") + "," + part

    save("16-excel-french/commandes.csv", text(orders(
        named(("order_id", "N° de commande"), ("sku", "Article"), ("status", "État"),
              ("placed_at", "Créée le"), ("paid_at", "Payée le"), ("fulfilled_at", "Livrée le"),
              ("quantity", "Quantité"), ("unit_price", "Prix"), ("currency", "Devise"),
              ("storefront", "Pays"), ("user_id", "Client")),
        {"created": "créée", "paid": "payée", "fulfilled": "livrée", "refunded": "remboursée",
         "cancelled": "annulée"}, lambda text: berlin(text, "%d/%m/%Y %H:%M:%S"), french), ";"))

    def american(value):
        if not value:
            return ""
        found = moment(value)
        return f"{found.month}/{found.day}/{found.year}, {found:%I:%M:%S %p}".replace(", 0", ", ")

    save("17-american/orders.csv", text(orders(
        named(("order_id", "Order"), ("sku", "Item"), ("status", "State"), ("placed_at", "When"),
              ("unit_price", "Each"), ("user_id", "Who")), SAME, american,
        lambda price: price and f"${float(price):,.2f}"), quoting=csv.QUOTE_ALL))

    comma_rows = orders(OWN, SAME, lambda text: text, comma)
    for row in comma_rows[::2]:
        # A service that writes texts here and numbers there.
        row["unit_price"] = float(row["unit_price"].replace(",", ".")) if row["unit_price"] else None
    save("18-json-decimal-comma/orders.json", json.dumps(comma_rows, indent=0) + "\n")

    half = len(ORDERS) // 2
    first = orders(OWN)
    save("19-two-shops/shop-a-orders.csv", text(first[:half]))
    second = orders(named(("order_id", "Nr"), ("placed_at", "At"), ("unit_price", "Minor units")),
                    SAME, lambda text: told(text, "%Y-%m-%d %H:%M:%S"), cents)
    save("19-two-shops/shop-b-orders.csv", text(second[half:], ";"))

    kinds = {"consumable": "Consumable", "non_consumable": "Non-Consumable",
             "auto_renewable": "Auto-Renewable Subscription",
             "non_renewing": "Non-Renewing Subscription"}
    purchases = {name: name for name in TRANSACTIONS[0]}
    purchases.update(transaction_id="store_transaction_id", purchased_at="bought_at",
                     kind="product_type", unit_price="price")

    def rails(row):
        row = mapped(row, {**kinds, "": ""}, ["purchased_at", "expires_at", "revoked_at"],
                     lambda text: told(text, "%Y-%m-%d %H:%M:%S UTC"))
        for flag in ["is_trial", "is_intro", "is_upgraded"]:
            row[flag] = {"true": "t", "false": "f"}.get(row[flag], row[flag])
        return row

    save("20-rails-transactions/transactions.csv", text(table(purchases, TRANSACTIONS, rails)))


main()
