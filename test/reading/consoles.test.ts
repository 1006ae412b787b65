import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConsoleFile, wholeCommands } from '../../scripts/console-rows.ts';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { does, gapsIn, read, runs } from './reads.ts';

const FOLDER = join(import.meta.dir, '../../programs/consoles');
const FILES = readdirSync(FOLDER).map((name) => {
  const { document } = parseYaml(readFileSync(join(FOLDER, name), 'utf8'), name);
  return document?.value as unknown as ConsoleFile;
});

describe('rows of commands of programs', () => {
  test.each(FILES.flatMap(({ examples }) => Object.entries(examples)))('%p: %s', (command, effect) => {
    const causes = read(command).commands.flatMap(({ caused }) => caused);
    const caused = causes.map(({ kind, value }) => `${kind}: ${value}`);
    expect([...does(command), ...runs(command), ...caused]).toContain(effect);
    expect(gapsIn(command)).toEqual([]);
  });

  test('have patterns in which all pieces are there', () => {
    const patterns = FILES.flatMap((file) => wholeCommands(file).map(({ pattern }) => pattern));
    expect(patterns.filter((pattern) => /<[A-Z_]+>/.test(pattern))).toEqual([]);
  });
});

describe('programs with commands of their own', () => {
  test.each([
    "sqlite3 a.db <<'E'\n.mode csv\n.shell rm x\nE",
    "ed f <<'E'\n!rm x\nq\nE",
    "ex -s f <<'E'\n!rm x\nE",
    'jshell -s - <<\'E\'\nRuntime.getRuntime().exec("rm x")\nE',
    'jshell - <<\'E\'\nnew ProcessBuilder("rm", "x").start()\nE',
  ])('finds the command in %p', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test.each([
    ['vim -c \'call delete("/srv/x", "rf")\'', 'deletes /srv/x and everything below'],
    ['emacs --batch --eval \'(delete-directory "/srv/x" t)\'', 'deletes /srv/x and everything below'],
    ['emacs --batch --eval \'(delete-directory "~/x" t)\'', 'deletes /home/me/x and everything below'],
    ['julia -e \'rm("/srv/x", recursive=true)\'', 'deletes /srv/x and everything below'],
    ['groovy -e \'new File("/srv/x").deleteDir()\'', 'deletes /srv/x and everything below'],
    ['elixir -e \'File.rm_rf!("/srv/x")\'', 'deletes /srv/x and everything below'],
    ["tclsh <<< 'file delete -force /srv/x'", 'deletes /srv/x and everything below'],
    ['julia -e \'print(read("/srv/x", String))\'', 'reads /srv/x'],
    ["ed f <<'E'\nw /srv/x\nE", 'writes /srv/x'],
    ['vim -c "w! /srv/x"', 'writes /srv/x'],
    ['vim -c "w ~/x"', 'writes /home/me/x'],
    ["vim -c 'w $HOME/x'", 'writes /home/me/x'],
    ['vim -c "w >>/srv/x"', 'writes /srv/x'],
    ['vim -c "w ++enc=utf-8 /srv/x"', 'writes /srv/x'],
    ['vim -c ":1,5write /srv/x"', 'writes /srv/x'],
    ['vim -c "set nu | sil! w! /srv/x" f', 'writes /srv/x'],
    ['vim -es -c "wq! /srv/x" f', 'writes /srv/x'],
    ['vim -es -c "x /srv/x" f', 'writes /srv/x'],
    ['vim +"sav /srv/x" f', 'writes /srv/x'],
    ['nvim --headless -c "saveas! /srv/x" -c q f', 'writes /srv/x'],
    ['vim -c "up /srv/x"', 'writes /srv/x'],
    ['vim -c "redir! > /srv/x"', 'writes /srv/x'],
    ['vim -c "mks! /srv/x"', 'writes /srv/x'],
    ['vim -c "e /srv/x" -c "d" -c "wq"', 'writes /srv/x'],
    ['vim -c "e /srv/x"', 'reads /srv/x'],
    ['vim -c "r /srv/x"', 'reads /srv/x'],
    ['vim -c "so /srv/x"', 'runs the file /srv/x'],
    ['vim -c "exe \'w /srv/x\'"', 'writes /srv/x'],
    ['vim -c \'call writefile(["a"], "/srv/x")\'', 'writes /srv/x'],
    ['vim -c \'call rename("/srv/x", "/srv/y")\'', 'deletes /srv/x'],
    ['vim -c \'call rename("/srv/x", "/srv/y")\'', 'writes /srv/y'],
    ["ex -s f <<< 'w /srv/x'", 'writes /srv/x'],
    ["printf '%s\\n' 'w /srv/x' | vi -e f", 'writes /srv/x'],
    ['vim -w /srv/x f', 'appends to /srv/x'],
    ['emacs --batch --eval \'(write-region "a" nil "/srv/x")\'', 'writes /srv/x'],
    ['emacs --batch f --eval \'(write-file "/srv/x")\'', 'writes /srv/x'],
    ['emacs --batch --eval \'(rename-file "/srv/x" "/srv/y" t)\'', 'writes /srv/y'],
    ['emacs --batch --eval \'(make-symbolic-link "/srv/x" "/srv/y")\'', 'writes /srv/y'],
  ])('%p %s', (text, effect) => {
    expect(does(text)).toContain(effect);
  });

  test.each<[string, boolean]>([
    ["psql a -c 'delete from x where a = 1'", true],
    ["psql a -c 'begin; delete\nfrom x; commit'", true],
    ["psql a -c 'with a as (select 1) delete from x'", true],
    ["psql a -c 'explain analyze delete from x'", true],
    ['psql a -c "/* it\'s */ drop table if exists x; -- \'"', true],
    ["mysql a -e 'select 1 /* /* */; drop table x; -- */'", true],
    ["mysql a -e '/*!50000 drop table x */'", true],
    ["cqlsh -e '// /*\ntruncate x;\n// */'", true],
    ["sqlcmd -Q 'select [/*]; drop table x; select [*/]'", true],
    ["psql a -c 'alter table x drop column y'", true],
    ["psql a <<'E'\ntruncate x;\nE", true],
    ["echo 'delete from x' | psql a", true],
    ["psql -tAc 'delete from x' a", true],
    ["psql a -c 'do \\$\\$ begin delete from x; end \\$\\$'", true],
    ["psql a -c 'with y as (delete from x returning 1) select 1'", true],
    ["echo 'delete from x' > a.sql; psql a -f a.sql", true],
    ["psql a -f <(echo 'delete from x')", true],
    ["sqlite3 a.db 'select 1' 'delete from x'", true],
    ["duckdb a.db -c 'drop table x'", true],
    ["mysql a -e 'delete x from x join y'", true],
    ["clickhouse-client -q 'alter table x delete where 1'", true],
    ['mongosh a --eval \'db.getCollection("x").drop()\'', true],
    ["mongosh a <<< 'db.x.remove({})'", true],
    ['psql a -c "select \'delete from x\' \\\\gexec"', true],
    ["psql a -c 'prepare d as delete from x' -c 'execute d'", true],
    ['psql a -c "do \'begin delete from x; end\'"', true],
    ["psql a -v y='delete from x' -c :y", true],
    ["psql a -v y=1 <<< 'delete from x'", true],
    ["psql a -c 'create rule r as on update to x do instead delete from y'", true],
    ["psql a -c 'explain analyze verbose delete from x'", true],
    ["psql a -c \"select 'it\\\\'s'; delete from x; select 'y'\"", true],
    ['mysql a -e "select \\"it\'s\\"; delete from x; select \\"it\'s\\""', true],
    ["mysql a -e 'select 1\\G delete from x'", true],
    ["mysql a -e 'begin not atomic delete from x; end'", true],
    ["mysql a --init-command='delete from x' -e 'select 1'", true],
    ["mysql a -e 'alter table x truncate partition y'", true],
    [`psql a -c '${' '.repeat(99)}drop${' '.repeat(99)}table x'`, true],
    ['mongosh a --eval \'db["x"]["deleteMany"] ({})\'', true],
    ['mongosh a --eval \'db.runCommand({drop: "x"})\'', true],
    ['mongosh a --eval \'db.adminCommand({drop: "x"})\'', true],
    ["echo 'db.x.drop()' > w.js; mongosh a w.js", true],
    ['mongosh a --eval \'rs.remove("b:27017"); db.x.explain().remove({ y: 1 })\'', false],
    ["psql a -c 'alter table x add foreign key (y) references z on delete cascade'", false],
    ["psql a <<'E'\nalter table x add y int references z on\n  delete cascade\nE", false],
    ['psql a -c "comment on table x is \'y; delete later\'"', false],
    ['clickhouse-client -q "select * from x where y like \'drop table%\'"', false],
    ['sqlcmd -Q "select \'delete from x\'"', false],
    ['psql a -c "select \'delete from x\' /* ; drop table x */"', false],
    ["psql a -c 'drop index x; alter table x drop constraint y; select deleted from delete_log'", false],
    ["psql a -c 'explain delete from x; alter table x rename column delete to y'", false],
    ["psql a -c 'grant select,\n  delete on x to y'", false],
    ["psql a -c 'create table x (a int references y (a)\n  on delete cascade)'", false],
    ["echo 'delete from x' > a.sql", false],
    ["sqlite3 a.db '.dump x' | grep 'delete from'", false],
    ['mongosh a --eval \'db.x.dropIndex("y")\'', false],
    ["mongosh a --eval 'db.x.find({ removed: true })'", false],
    ["mongosh a --eval 'db.x.bulkWrite([{deleteMany: {filter: {}}}])'", true],
    ["mongosh a --eval 'db.x.bulkWrite([{insertOne: {document: {}}}])'", false],
    ["mongosh a --eval 'db.x.initializeOrderedBulkOp().find({}).delete()'", true],
    ["mongosh a --eval 'new Map().delete(1)'", false],
    ["mongosh a --eval 'db.x.findAndModify({remove: true})'", true],
    ["mongosh a --eval 'db.x.findAndModify({update: {}})'", false],
    ["echo 'drop table x' > f; mysql -e 'source f'", true],
    ["echo 'select 1; source f; drop table x' > f; mysql -e '\\. f'", true],
    ["echo 'select 1; source f' > f; mysql -e '\\. f'", false],
    ["echo 'drop table x' > f; psql -c '\\i f'", true],
    ["echo 'drop table x' > f; sqlite3 a '.read f'", true],
    ["echo 'drop table x' > f; sqlcmd -Q ':r f'", true],
    ["echo 'db.x.drop()' > f; mongosh --eval 'load(\"f\")'", true],
    ["mysql -e 'source f'", false],
    ["mysql -e 'drop temporary table x'", false],
    ["sqlcmd -Q 'drop table if exists #x; delete from #x'", false],
    ["sqlcmd -Q 'if 1=1 begin drop table tempdb..#x end'", false],
    ["sqlcmd -Q 'drop table #xy, z'", true],
    ["sqlcmd -Q 'drop table #x /*y*/, z'", true],
    ["sqlcmd -Q 'drop table #x/**/,z'", true],
    ["sqlcmd -Q 'drop table #x--y\n,z'", true],
    ["sqlcmd -Q 'drop table #x\n,z'", true],
    ["sqlcmd -Q 'drop table #x#y, z'", true],
    ["sqlcmd -Q 'drop table #x@y, z'", true],
    ["sqlcmd -Q 'drop table #xé, z'", true],
    ["sqlcmd -Q 'drop table #x.y, z'", true],
    ["sqlcmd -Q 'drop table #x$y, z'", true],
    ["sqlcmd -Q 'drop table #xselect, z'", true],
    ['sqlcmd -Q "drop table #x$Y"', true],
    ["sqlcmd -Q 'drop table #x\ngo'", false],
    ["sqlcmd -Q 'truncate table ##x; delete #x where a = 1'", false],
    ["mysql -h a --pager -e 'drop table x'", true],
    ["mysql --pager --host=a -e 'delete from x'", true],
    ["mysql --pager a -e 'delete from x'", true],
    ["mysql --pager -e 'select 1'", false],
    ["sqlcmd -Q 'drop table #x drop table z'", true],
    ["mysql -e 'drop table #x\ny'", true],
    ["psql -c 'select (1.5) truncate; select count(*) truncate from x'", false],
    ["psql -c 'truncate\nx'", true],
    ["psql -c 'select (1.5); truncate only x'", true],
  ])('%p deletes rows: %p', (text, isDeleted) => {
    const causes = read(text).commands.flatMap(({ caused }) => caused);
    expect(causes.some(({ value }) => value === 'rows')).toBe(isDeleted);
  });

  test.each([
    'sqlite3 a.db "select \'.shell rm x\'"',
    "psql -c '\\dt' -c 'select 1'",
    "mysql -e 'select @@system_time_zone; show tables'",
    "echo 'puts {rm x}' | tclsh",
    "ed f <<'E'\n,s/a/b/g\nw\nq\nE",
    "vim -c 'w! out' -c 'q!' f",
    "vim -es -c '%s/a/b/ge' -c 'wq' f",
    'vim +10 f',
    'gdb -batch -ex run -ex bt ./a',
    'emacs --batch --eval \'(message "rm x")\'',
    'groovy -e \'println "rm x"\'',
    'elixir -e \'IO.puts("rm x")\'',
    'julia -e \'println("rm x")\'',
    'osascript -e \'display notification "rm x"\'',
    'make -f Makefile all',
    "ansible localhost -m ping -a 'data=x'",
    'make CC="ccache gcc" CFLAGS="-O2 rm x"',
    'make CC="$CROSS gcc" X="$(pwd)"',
    'apt-get -o Dpkg::Options::=--force-confold install x',
    "hg --config alias.x='log -l 1' x",
    "cargo --config 'profile.dev.debug=false' build",
    "fzf --bind 'ctrl-x:select-all,rm:abort'",
    'octave --eval \'disp("rm x")\'',
    'gnuplot -e \'plot sin(x) title "rm x"\'',
    "rpm --eval '%{_libdir} %(uname -r)'",
    'psql -P pager=off -P format=csv a',
    'rails generate model x name:string',
    'npm config set registry=https://registry.npmjs.org',
  ])('finds no command in %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
    expect(runs(text).filter((line) => /^rm|^x/.test(line))).toEqual([]);
  });

  test.each([
    'vim -c "exe g:cmd" f',
    'vim -c "exe \'w \' . g:file" f',
    'vim -c \'call feedkeys(":w x\\<CR>")\' f',
    'vim -c "norm :w x" f',
    'vim -c "@a" f',
  ])('cannot tell what %p does', (text) => {
    expect(gapsIn(text)).toEqual(['unknown_code']);
  });

  test.each([
    "make -f - <<'E'\nall:\n\t@rm x\nE",
    "printf 'all:\\n\\trm x\\n' | make -f -",
    "make -f /dev/stdin <<'E'\nD = x\nall: ; rm $(D)\nE",
    "make --eval 'x:;rm x' x",
    "MAKEFLAGS='-k --eval=a:=rm' make",
    'make -f - <<< "$RECIPES"',
  ])('cannot tell which recipes %p runs', (text) => {
    expect(gapsIn(text)).toEqual(['unknown_script']);
  });

  test.each([
    'vim -c "norm gg=G" -c wq f',
    'vim -es -c "g/^x/d" -c "wq" f',
    'vim -c "set ft=python" -c "echo 1" f',
    'nvim --headless "+Lazy! sync" +qa',
    'vim +PlugInstall +qall',
    'vim -c "exe \'normal gg\'" f',
    'vim -c "e!" -c "w" -c "wa" f',
    'vim -c "%s#/srv/w x#y#" f',
  ])('touches only its own file in %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
    expect(does(text).filter((effect) => !/ \/work\/f$/.test(effect))).toEqual([]);
  });
});
