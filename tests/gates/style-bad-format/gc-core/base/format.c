int  badly( int a )
{ return a ; }
